// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Light, background and ground: the surroundings of the bodies.
import * as THREE from 'three';
import { toCreasedNormals } from 'three/addons/utils/BufferGeometryUtils.js';
import type { SceneCollider, SceneSolid } from './protocol';
import { niceAbove } from './colormap';
import { makeStudio } from './studio';
import type { Quality } from './pace';

interface Theme {
    middle: string; // of the background
    edge: string;
    ground: string;
    groundAlpha: number;
    line: string;
    lineAlpha: number;
    shadowAlpha: number;
    collider: string;
    key: number;
    room: number;
}

const themes: { light: Theme; dark: Theme } = {
    light: {
        middle: '#f1f3f6', edge: '#cfd6df', ground: '#ffffff', groundAlpha: 0.6,
        line: '#7d8a9c', lineAlpha: 0.34, shadowAlpha: 0.34, collider: '#b3bac4',
        key: 1.85, room: 0.36,
    },
    dark: {
        middle: '#343a44', edge: '#15181d', ground: '#59616e', groundAlpha: 0.34,
        line: '#a9b5c6', lineAlpha: 0.16, shadowAlpha: 0.6, collider: '#6d7580',
        key: 2.0, room: 0.36,
    },
};

const dither = /* glsl */ `
float noise(vec2 p) {
    return fract(52.9829189 * fract(dot(p, vec2(0.06711056, 0.00583715)))) - 0.5;
}`;

function makeBackground(): THREE.Mesh<THREE.BufferGeometry, THREE.ShaderMaterial> {
    const material = new THREE.ShaderMaterial({
        uniforms: {
            middle: { value: new THREE.Color() }, edge: { value: new THREE.Color() },
            size: { value: new THREE.Vector2(1, 1) },
        },
        vertexShader: `varying vec2 at;
            void main() {
                at = uv;
                gl_Position = vec4(position.xy, 1.0, 1.0);
            }`,
        // Theme colours are final colours; noise keeps the gradient from banding.
        fragmentShader: `uniform vec3 middle, edge; uniform vec2 size; varying vec2 at; ${dither}
            void main() {
                vec2 d = (at - vec2(0.5, 0.46)) * vec2(min(1.3, size.x / size.y), 1.0);
                vec3 c = mix(middle, edge, smoothstep(0.0, 0.95, length(d) * 1.1));
                gl_FragColor = vec4(c + noise(gl_FragCoord.xy) / 255.0, 1.0);
            }`,
        depthTest: false, depthWrite: false, toneMapped: false,
    });
    const mesh = new THREE.Mesh(new THREE.PlaneGeometry(2, 2), material);
    mesh.frustumCulled = false;
    mesh.renderOrder = -1000;
    return mesh;
}

// Samples the shadow map many times over a wide disc, rotated from pixel to pixel, for which the
// five samples of three.js are too few. Most places are entirely lit or entirely in shadow, which
// the first eight samples show.
const softShadow = /* glsl */ `
#if NUM_DIR_LIGHT_SHADOWS > 0
float taps(vec3 at, int n, float phi) {
    float sum = 0.0;
    for (int i = 0; i < n; i++) {
        vec2 p = at.xy + 0.022 * vogelDiskSample(i, n, phi);
        sum += texture(directionalShadowMap[0], vec3(p, at.z));
    }
    return sum / float(n);
}
#endif
float softShadow() {
    #if NUM_DIR_LIGHT_SHADOWS > 0
        vec3 at = vDirectionalShadowCoord[0].xyz / vDirectionalShadowCoord[0].w;
        vec2 off = abs(at.xy - 0.5);
        if (max(off.x, off.y) > 0.5) return 0.0;
        float phi = interleavedGradientNoise(gl_FragCoord.xy) * 6.2832;
        float light = taps(at, 8, phi);
        if (light > 0.0 && light < 1.0) light = taps(at, 28, phi);
        return 1.0 - light;
    #else
        return 0.0;
    #endif
}`;

/** A disc that fades out, with a faint grid and the shadow. */
function makeGround(): { mesh: THREE.Mesh; uniforms: Record<string, THREE.IUniform> } {
    const uniforms = {
        ground: { value: new THREE.Color() }, line: { value: new THREE.Color() },
        groundAlpha: { value: 0 }, lineAlpha: { value: 0 }, shadowAlpha: { value: 0 },
        cell: { value: 1 }, radius: { value: 1 }, show: { value: 1 },
    };
    const material = new THREE.ShadowMaterial({ depthWrite: false, toneMapped: false });
    material.onBeforeCompile = (shader) => {
        Object.assign(shader.uniforms, uniforms);
        shader.vertexShader = shader.vertexShader
            .replace('#include <common>', '#include <common>\nvarying vec2 at;')
            .replace('#include <begin_vertex>', '#include <begin_vertex>\nat = position.xz;');
        shader.fragmentShader = shader.fragmentShader
            .replace('#include <common>', `#include <common>
                varying vec2 at;
                uniform vec3 ground, line;
                uniform float groundAlpha, lineAlpha, shadowAlpha, cell, radius, show;
                ${dither}
                float lines(vec2 p) {
                    vec2 w = fwidth(p), d = abs(fract(p - 0.5) - 0.5);
                    vec2 l = 1.0 - smoothstep(w * 0.4, w * 1.2, d);
                    l *= 1.0 - smoothstep(0.1, 0.4, w); // too dense to tell apart
                    return max(l.x, l.y);
                }`)
            .replace('#include <shadowmask_pars_fragment>', softShadow)
            .replace('gl_FragColor = vec4( color, opacity * ( 1.0 - getShadowMask() ) );', `
                float far = length(at) / radius;
                float fade = 1.0 - smoothstep(0.12, 1.0, far);
                float g = groundAlpha * fade * fade;
                float l = lineAlpha * fade * fade * lines(at / cell);
                float s = shadowAlpha * softShadow() * (1.0 - smoothstep(0.4, 0.9, far));
                // shadow over lines over ground
                vec3 c = line * l + ground * g * (1.0 - l);
                float a = l + g * (1.0 - l);
                c *= 1.0 - s;
                a = s + a * (1.0 - s);
                gl_FragColor = vec4(c / max(a, 1e-4) + noise(gl_FragCoord.xy) / 255.0, a * show);`)
            .replace('#include <colorspace_fragment>', '');
    };
    const geometry = new THREE.CircleGeometry(1, 64).rotateX(-Math.PI / 2);
    const mesh = new THREE.Mesh(geometry, material);
    mesh.receiveShadow = true;
    mesh.renderOrder = -10;
    return { mesh, uniforms };
}

function colliderMesh(c: SceneSolid, material: THREE.Material): THREE.Mesh {
    const plain = new THREE.BufferGeometry();
    plain.setAttribute('position', new THREE.Float32BufferAttribute(c.x, 3));
    plain.setIndex(c.triangle);
    const mesh = new THREE.Mesh(toCreasedNormals(plain, (40 * Math.PI) / 180), material);
    plain.dispose();
    const [a, b, d, e, f, g, h, i, j] = c.turn;
    mesh.quaternion.setFromRotationMatrix(
        new THREE.Matrix4().set(a, b, d, 0, e, f, g, 0, h, i, j, 0, 0, 0, 0, 1));
    mesh.position.set(...c.at);
    mesh.castShadow = mesh.receiveShadow = true;
    return mesh;
}

/** Whether a GPU draws, not software. Browsers report this in different ways. */
function isAccelerated(): boolean {
    const gl = document.createElement('canvas')
        .getContext('webgl2', { failIfMajorPerformanceCaveat: true });
    const info = gl?.getExtension('WEBGL_debug_renderer_info');
    const name = String(info ? gl?.getParameter(info.UNMASKED_RENDERER_WEBGL) : '');
    gl?.getExtension('WEBGL_lose_context')?.loseContext(); // browsers allow few contexts
    return gl !== null && !/swiftshader|llvmpipe|softpipe|software/i.test(name);
}

/** Renders the scene that bodies are put into. */
export class Look {
    readonly scene = new THREE.Scene();
    readonly renderer: THREE.WebGLRenderer;
    private readonly key = new THREE.DirectionalLight(0xffffff);
    private readonly sky = new THREE.HemisphereLight(0xffffff, 0xb9b2a8, 0.3);
    private readonly rim = new THREE.DirectionalLight(0xdfe9ff, 0.7);
    private readonly background = makeBackground();
    private readonly ground = makeGround();
    private readonly colliderMaterial = new THREE.MeshStandardMaterial({ roughness: 0.85 });
    private colliders = new THREE.Group();
    private readonly groundUp = new THREE.Vector3(0, 1, 0);
    private fixedGround = false; // the ground is a plane of the scene, not just drawn below bodies
    private picture = 0; // number of pictures so far
    private lowest = 0; // a ground that is not fixed sinks with the bodies, down to here
    private readonly solids = new THREE.Box3(); // colliders not much larger than the bodies
    private readonly solidBoxes: THREE.Box3[] = []; // of each collider

    constructor(canvas: HTMLCanvasElement) {
        const accelerated = isAccelerated();
        const renderer =
            new THREE.WebGLRenderer({ canvas, antialias: accelerated, stencil: true });
        this.renderer = renderer;
        renderer.toneMapping = THREE.NeutralToneMapping;
        renderer.shadowMap.enabled = true;
        renderer.localClippingEnabled = true;
        renderer.autoClear = false;
        // In software this would take seconds: a brighter sky replaces it.
        if (accelerated) this.scene.environment = makeStudio(renderer);
        this.key.castShadow = true;
        this.key.shadow.autoUpdate = false; // setQuality() decides when
        this.key.shadow.mapSize.set(2048, 2048);
        this.key.shadow.radius = 3;
        this.key.shadow.intensity = 0.9;
        this.scene.add(this.key, this.key.target, this.sky, this.rim, this.background,
            this.ground.mesh, this.colliders);
    }

    setTheme(dark: boolean): void {
        const t = dark ? themes.dark : themes.light;
        const { middle, edge } = this.background.material.uniforms;
        const seen = (color: THREE.Color, css: string): void => {
            color.setStyle(css, THREE.LinearSRGBColorSpace); // no conversion
        };
        seen(middle.value as THREE.Color, t.middle);
        seen(edge.value as THREE.Color, t.edge);
        const u = this.ground.uniforms;
        seen(u.ground.value as THREE.Color, t.ground);
        seen(u.line.value as THREE.Color, t.line);
        u.groundAlpha.value = t.groundAlpha;
        u.lineAlpha.value = t.lineAlpha;
        u.shadowAlpha.value = t.shadowAlpha;
        this.colliderMaterial.color.set(t.collider);
        this.key.intensity = t.key;
        this.scene.environmentIntensity = t.room;
        this.sky.intensity = 0.3 + (this.scene.environment ? 0 : 5 * t.room);
    }

    setShown(ground: boolean, shadow: boolean): void {
        this.ground.mesh.visible = ground;
        this.key.castShadow = shadow;
    }

    /** Sets colliders and the ground: the first plane facing up, else a little below the bodies. */
    setWorld(colliders: SceneCollider[], bounds: THREE.Box3): void {
        this.disposeColliders();
        const planes = colliders.filter((c) => c.kind === 'plane');
        const floor = planes.find((c) => c.normal[1] > 0.999) ?? planes[0];
        const size = bounds.getSize(new THREE.Vector3()).length() || 1;
        const center = bounds.getCenter(new THREE.Vector3());
        this.fixedGround = floor !== undefined;
        this.groundUp.set(0, 1, 0);
        const at = center.clone().setY(bounds.min.y - 0.12 * size);
        if (floor) {
            const up = this.groundUp.set(...floor.normal);
            at.copy(center).addScaledVector(up, floor.offset - up.dot(center));
        }
        const { mesh, uniforms } = this.ground;
        const radius = 5 * size;
        this.lowest = at.y - size;
        mesh.position.copy(at).addScaledVector(this.groundUp, -2e-4 * size);
        mesh.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), this.groundUp);
        mesh.scale.setScalar(radius);
        uniforms.radius.value = 1;
        uniforms.cell.value = niceAbove(size / 7) / radius;
        this.solids.makeEmpty();
        this.solidBoxes.length = 0;
        for (const c of colliders) {
            if (c.kind === 'plane') continue; // is the ground, or not drawn
            const solid = colliderMesh(c, this.colliderMaterial);
            this.colliders.add(solid);
            const box = new THREE.Box3().setFromObject(solid);
            this.solidBoxes.push(box);
            if (box.getSize(new THREE.Vector3()).length() < 3 * size) this.solids.union(box);
        }
    }

    private disposeColliders(): void {
        for (const c of this.colliders.children) (c as THREE.Mesh).geometry.dispose();
        this.colliders.clear();
    }

    /** Bounds of the bodies and, if it is near, the ground that they stand on or will fall to. */
    frame(bounds: THREE.Box3): THREE.Box3 {
        const box = bounds.clone().union(this.solids);
        const low = this.ground.mesh.position.y;
        const size = bounds.getSize(new THREE.Vector3()).length();
        if (this.fixedGround && this.groundUp.y > 0.999 && bounds.min.y - low < 1.5 * size)
            box.min.y = Math.min(box.min.y, low);
        return box;
    }

    /** Bounds of the bodies and all colliders except planes. */
    all(bounds: THREE.Box3): THREE.Box3 {
        return this.solidBoxes.reduce((box, solid) => box.union(solid), bounds.clone());
    }

    /** Bounds of the bodies and of the parts of colliders that are close to them. */
    near(bounds: THREE.Box3): THREE.Box3 {
        const box = bounds.clone();
        if (bounds.isEmpty()) return box;
        const size = bounds.getSize(new THREE.Vector3()).length();
        const around = bounds.clone().expandByScalar(0.5 * size);
        for (const solid of this.solidBoxes)
            if (around.intersectsBox(solid)) box.union(solid.clone().intersect(around));
        return box;
    }

    /** Aims lights and shadow at what is visible now. */
    aim(bounds: THREE.Box3, camera: THREE.PerspectiveCamera): void {
        const ball = bounds.clone().union(this.solids).getBoundingSphere(new THREE.Sphere());
        const r = Math.max(ball.radius, 1e-6);
        this.key.target.position.copy(ball.center);
        this.key.position.set(0.55, 1.25, 0.7).multiplyScalar(2 * r).add(ball.center);
        const s = this.key.shadow;
        const c = s.camera;
        c.left = c.bottom = -1.08 * r;
        c.right = c.top = 1.08 * r;
        c.near = 0.1 * r;
        c.far = 9 * r; // down to the ground, where shadows end
        c.updateProjectionMatrix();
        s.normalBias = 0.006 * r;
        s.bias = -0.0004;
        this.rim.position.set(-0.9, 0.45, -1).add(ball.center);
        this.rim.target.position.copy(ball.center);
        const { mesh, uniforms } = this.ground;
        if (!this.fixedGround) {
            const below = Math.min(mesh.position.y, bounds.min.y - 0.05 * r);
            mesh.position.y = Math.max(this.lowest, below);
        }
        const above = this.groundUp.dot(camera.position.clone().sub(mesh.position));
        const height = above / Math.max(r, camera.position.distanceTo(mesh.position));
        const low = this.fixedGround ? 1 : 1 + (bounds.min.y - mesh.position.y) / (0.05 * r);
        // Seen from below, or if bodies have sunk through it, the ground is not shown.
        uniforms.show.value = Math.min(1, Math.max(0, 12 * height)) * Math.min(1, Math.max(0, low));
    }

    /** Note that a new size or share of the pixels clears the picture. */
    setQuality({ pixels, shadow }: Quality): void {
        const ratio = pixels * Math.min(2, window.devicePixelRatio || 1);
        if (ratio !== this.renderer.getPixelRatio()) this.renderer.setPixelRatio(ratio);
        this.key.shadow.needsUpdate = this.picture++ % shadow === 0;
    }

    resize(width: number, height: number): void {
        this.renderer.setSize(width, height, false);
        (this.background.material.uniforms.size.value as THREE.Vector2).set(width, height);
    }

    dispose(): void {
        this.disposeColliders();
        this.colliderMaterial.dispose();
        this.scene.environment?.dispose();
        for (const mesh of [this.background, this.ground.mesh]) {
            mesh.geometry.dispose();
            (mesh.material as THREE.Material).dispose();
        }
        this.key.dispose();
        this.renderer.dispose();
    }
}
