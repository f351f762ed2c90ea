// Lets a Node that runs no TypeScript load it: types are replaced by white space when a module is loaded. Given with --import,
// it registers itself as the hook of a second thread.
import { readFile } from 'node:fs/promises'
import { register } from 'node:module'
import { fileURLToPath } from 'node:url'
import { isMainThread } from 'node:worker_threads'
import { transformSync } from '@swc/wasm-typescript'

if (isMainThread) register(import.meta.url)

/** Loads `.ts` and `.mts` files as ES modules. */
export async function load(url, context, next) {
  if (!/^file:.*\.m?ts$/.test(url)) return next(url, context)
  const path = fileURLToPath(url)
  const { code } = transformSync(await readFile(path, 'utf8'), {
    mode: 'strip-only',
    module: true,
    filename: path,
  })
  return { format: 'module', shortCircuit: true, source: code }
}
