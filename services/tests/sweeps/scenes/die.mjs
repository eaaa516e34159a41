export { default } from '../../../scenes/die.mjs'
