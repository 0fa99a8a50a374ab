// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Labels beside objects, which keep their size on the screen.
import * as THREE from 'three';

const density = 2; // texels per pixel
const height = 22;

export class Label {
    readonly sprite: THREE.Sprite;
    private readonly canvas = document.createElement('canvas');
    private readonly texture = new THREE.CanvasTexture(this.canvas);
    private text = '';
    private width = 0;

    constructor(private readonly color: string) {
        this.texture.colorSpace = THREE.SRGBColorSpace;
        this.texture.generateMipmaps = false;
        this.texture.minFilter = THREE.LinearFilter;
        this.sprite = new THREE.Sprite(new THREE.SpriteMaterial({
            map: this.texture, depthTest: false, depthWrite: false, toneMapped: false,
            sizeAttenuation: false, transparent: true,
        }));
        this.sprite.renderOrder = 20;
        this.sprite.center.set(0.5, -0.35);
    }

    set(text: string): void {
        if (text === this.text) return;
        this.text = text;
        const c = this.canvas.getContext('2d');
        if (!c) return;
        const font = '600 12px system-ui, -apple-system, "Segoe UI", sans-serif';
        c.font = font;
        const width = Math.ceil(c.measureText(text).width) + 16;
        // A texture cannot be resized: makes a new one if the width of the text changes.
        if (width !== this.width) this.texture.dispose();
        this.width = width;
        this.canvas.width = density * width;
        this.canvas.height = density * height;
        c.scale(density, density);
        c.beginPath();
        c.roundRect(0.5, 0.5, width - 1, height - 1, height / 2);
        c.fillStyle = this.color;
        c.fill();
        c.font = font;
        c.fillStyle = '#ffffff';
        c.textAlign = 'center';
        c.textBaseline = 'middle';
        c.fillText(text, width / 2, height / 2 + 0.5);
        this.texture.needsUpdate = true;
    }

    /** @param pixel height of one pixel at a distance of one. */
    place(at: THREE.Vector3, pixel: number): void {
        this.sprite.position.copy(at);
        this.sprite.scale.set(this.width * pixel, height * pixel, 1);
    }

    dispose(): void {
        this.sprite.removeFromParent();
        this.texture.dispose();
        this.sprite.material.dispose();
    }
}
