import { h } from 'vue'
import DefaultTheme from 'vitepress/theme'
import LiveHeap from './LiveHeap.vue'
import './style.css'

/** @type {import('vitepress').Theme} */
export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'home-hero-after': () => h(LiveHeap) }),
}
