/**
 * The material of what does not move: grey, with the lines of a metre grid, so that the eye can measure.
 */
import { Color, MeshStandardMaterial } from 'three'

/**
 * three.js' standard material plus lines on the two axes that lie in the surface, one pixel wide at any distance.
 */
export class GridMaterial extends MeshStandardMaterial {
  /** Colour of the lines. */
  line = new Color()

  constructor() {
    super({ roughness: 0.95, metalness: 0, vertexColors: true })
    /** @param {import('three').WebGLProgramParametersWithUniforms} shader */
    this.onBeforeCompile = (shader) => {
      shader.uniforms.lineColor = { value: this.line }
      shader.vertexShader = shader.vertexShader
        .replace(
          '#include <common>',
          `#include <common>\nvarying vec3 vGridPosition;\nvarying vec3 vGridNormal;`,
        )
        .replace(
          '#include <begin_vertex>',
          `#include <begin_vertex>\nvGridPosition = position;\nvGridNormal = abs(normal);`,
        )
      shader.fragmentShader = shader.fragmentShader
        .replace('#include <common>', `#include <common>\n${GRID_FUNCTIONS}`)
        .replace('#include <color_fragment>', `#include <color_fragment>\n${GRID_COLOR}`)
    }
  }

  customProgramCacheKey() {
    return 'grid'
  }
}

const GRID_FUNCTIONS = /* glsl */ `
  varying vec3 vGridPosition;
  varying vec3 vGridNormal;
  uniform vec3 lineColor;

  // How much of a line, one pixel wide, covers this fragment; fades where lines come closer than pixels can show
  float gridLines(vec2 position, float spacing) {
    vec2 cell = position / spacing;
    vec2 width = max(fwidth(cell), vec2(1e-6));
    vec2 distance = abs(fract(cell - 0.5) - 0.5) / width;
    vec2 cover = (1.0 - smoothstep(0.4, 1.4, distance)) * (1.0 - smoothstep(0.12, 0.45, width));
    return max(cover.x, cover.y);
  }`

const GRID_COLOR = /* glsl */ `
  vec2 gridPosition = vGridNormal.y > max(vGridNormal.x, vGridNormal.z) ? vGridPosition.xz
    : vGridNormal.x > vGridNormal.z ? vGridPosition.yz : vGridPosition.xy;
  float gridCover = max(0.45 * gridLines(gridPosition, 1.0), 0.9 * gridLines(gridPosition, 5.0));
  diffuseColor.rgb = mix(diffuseColor.rgb, lineColor, gridCover);`
