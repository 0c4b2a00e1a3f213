import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import swc from '@swc/wasm-typescript'

/**
 * A hook of Node's loader. Types become blanks, so lines and columns stay as they are.
 * @type {import('node:module').LoadHookSync}
 */
export function load(url, context, nextLoad) {
  if (!url.endsWith('.ts')) return nextLoad(url, context)
  const { code } = swc.transformSync(readFileSync(fileURLToPath(url), 'utf8'), { mode: 'strip-only' })
  return { format: 'module', source: code, shortCircuit: true }
}
