// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// What bodies reflect: a pale room with three lamps, blurred. It is made when the page is loaded,
// so it is small and simple.
import * as THREE from 'three';

const size = 64; // pixels of a side
const blur = 0.06; // [rad]

function lamp(brightness: number, width: number, height: number, at: THREE.Vector3): THREE.Mesh {
    const material = new THREE.MeshBasicMaterial({ side: THREE.DoubleSide });
    material.color.setScalar(brightness);
    const mesh = new THREE.Mesh(new THREE.PlaneGeometry(width, height), material);
    mesh.position.copy(at);
    mesh.lookAt(0, 0, 0);
    return mesh;
}

/** A room that is brighter above than below. */
function room(): THREE.Mesh {
    const geometry = new THREE.SphereGeometry(20, 16, 12);
    const place = geometry.getAttribute('position');
    const color = new Float32Array(3 * place.count);
    for (let i = 0; i < place.count; i++)
        color.fill(0.55 + 0.3 * (place.getY(i) / 20), 3 * i, 3 * i + 3);
    geometry.setAttribute('color', new THREE.BufferAttribute(color, 3));
    return new THREE.Mesh(geometry,
        new THREE.MeshBasicMaterial({ side: THREE.BackSide, vertexColors: true }));
}

export function makeStudio(renderer: THREE.WebGLRenderer): THREE.Texture {
    const scene = new THREE.Scene();
    const parts = [
        room(), lamp(9, 9, 9, new THREE.Vector3(4, 14, 5)),
        lamp(5, 4, 12, new THREE.Vector3(-15, 4, 2)), lamp(4, 10, 4, new THREE.Vector3(6, 3, -15)),
    ];
    scene.add(...parts);
    const generator = new THREE.PMREMGenerator(renderer);
    const { texture } = generator.fromScene(scene, blur, 0.1, 100, { size });
    generator.dispose();
    for (const part of parts) {
        part.geometry.dispose();
        (part.material as THREE.Material).dispose();
    }
    return texture;
}
