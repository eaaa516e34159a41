/**
 * The registry of scenes.
 */
import { similar } from '../bindings/core/spelling.mjs'
import arm from './arm.mjs'
import atlasStanding from './atlas-standing.mjs'
import backspin from './backspin.mjs'
import batchOfDice from './batch-of-dice.mjs'
import bouncingBall from './bouncing-ball.mjs'
import bulletWall from './bullet-wall.mjs'
import car from './car.mjs'
import character from './character.mjs'
import clock from './clock.mjs'
import cardHouse from './card-house.mjs'
import carousel from './carousel.mjs'
import changingShapes from './changing-shapes.mjs'
import conveyor from './conveyor.mjs'
import concave from './concave.mjs'
import coneCircle from './cone-circle.mjs'
import dominoRow from './domino-row.mjs'
import doublePendulum from './double-pendulum.mjs'
import dzhanibekov from './dzhanibekov.mjs'
import elasticSpheres from './elastic-spheres.mjs'
import farFromOrigin from './far-from-origin.mjs'
import floating from './floating.mjs'
import gearTrain from './gear-train.mjs'
import glancingCubes from './glancing-cubes.mjs'
import grip from './grip.mjs'
import heavyChain from './heavy-chain.mjs'
import { inclineSlides, inclineSticks } from './inclines.mjs'
import jointDrives from './joint-drives.mjs'
import locksAndDrives from './locks-and-drives.mjs'
import { masonryArch, thinArch } from './masonry-arch.mjs'
import { tower1e3, tower1e6, towerAlternating } from './mass-ratio-towers.mjs'
import newtonsCradle from './newtons-cradle.mjs'
import oneWayPlatform from './one-way-platform.mjs'
import pour from './pour.mjs'
import { puck0, puck30 } from './puck.mjs'
import pulley from './pulley.mjs'
import pyramid210 from './pyramid-210.mjs'
import ragdollFollows from './ragdoll-follows.mjs'
import ragdolls from './ragdolls.mjs'
import rollerCoaster from './roller-coaster.mjs'
import restingCube from './resting-cube.mjs'
import rewind from './rewind.mjs'
import robotArm from './robot-arm.mjs'
import rollingBall from './rolling-ball.mjs'
import rollingCylinder from './rolling-cylinder.mjs'
import ropesAndSprings from './ropes-and-springs.mjs'
import meshSlide from './mesh-slide.mjs'
import shapePit from './shape-pit.mjs'
import terrain from './terrain.mjs'
import sensorGate from './sensor-gate.mjs'
import sleepingField from './sleeping-field.mjs'
import { sliding0, sliding20, sliding45 } from './sliding-cubes.mjs'
import sliderCrank from './slider-crank.mjs'
import spinningTop from './spinning-top.mjs'
import stackOf10 from './stack-of-10.mjs'
import tiles from './tiles.mjs'
import tippeTop from './tippe-top.mjs'
import tippingBox from './tipping-box.mjs'
import touchingCradle from './touching-cradle.mjs'
import truck from './truck.mjs'
import tumblingBoxes from './tumbling-boxes.mjs'
import universalShaft from './universal-shaft.mjs'
import voxelGround from './voxel-ground.mjs'
import weather from './weather.mjs'
import wedge from './wedge.mjs'
import wheelCar from './wheel-car.mjs'

export { fileScene } from './file-scene.mjs'
export { openWorld, runScene, SceneRun } from './runner.mjs'

/** @typedef {import('./scene.mjs').Scene} Scene */

/**
 * All scenes, in the order in which people should meet them.
 *
 * @type {Scene[]}
 */
export const scenes = [
  pour,
  shapePit,
  concave,
  meshSlide,
  tiles,
  voxelGround,
  terrain,
  tumblingBoxes,
  batchOfDice,
  pyramid210,
  rewind,
  ragdolls,
  ragdollFollows,
  sleepingField,
  oneWayPlatform,
  sensorGate,
  changingShapes,
  bulletWall,
  farFromOrigin,
  stackOf10,
  tower1e3,
  tower1e6,
  towerAlternating,
  cardHouse,
  masonryArch,
  thinArch,
  dominoRow,
  restingCube,
  sliding0,
  sliding20,
  sliding45,
  puck0,
  puck30,
  inclineSticks,
  inclineSlides,
  grip,
  wedge,
  tippingBox,
  bouncingBall,
  rollingBall,
  rollingCylinder,
  coneCircle,
  backspin,
  elasticSpheres,
  glancingCubes,
  newtonsCradle,
  touchingCradle,
  conveyor,
  carousel,
  truck,
  floating,
  weather,
  doublePendulum,
  jointDrives,
  locksAndDrives,
  ropesAndSprings,
  gearTrain,
  pulley,
  rollerCoaster,
  universalShaft,
  clock,
  sliderCrank,
  arm,
  robotArm,
  atlasStanding,
  heavyChain,
  spinningTop,
  dzhanibekov,
  tippeTop,
  car,
  wheelCar,
  character,
]

/**
 * The scene with this name.
 *
 * @param {string} name
 * @returns {Scene}
 * @throws {RangeError} that names the scenes that are meant perhaps
 */
export function sceneByName(name) {
  const scene = scenes.find((candidate) => candidate.name === name)
  if (scene) return scene
  const names = scenes.map((candidate) => candidate.name)
  const near = similar(String(name), names)
  const hint = near.length
    ? `did you mean ${near.map((other) => `'${other}'`).join(' or ')}?`
    : `there are ${names.join(', ')}`
  throw new RangeError(`there is no scene '${name}'; ${hint}`)
}
