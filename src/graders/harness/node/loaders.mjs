// Node 20 does not know the extension `.ts`. The types have already been stripped.
const modules = process.getBuiltinModule('node:module')

/** Loads `.ts` and `.mts` files as JavaScript. */
export function acceptTypeScript() {
  const isTypeScript = (url) => /\.m?ts$/.test(url)
  if (modules.registerHooks) {
    modules.registerHooks({
      load: (url, context, next) => next(url, isTypeScript(url) ? { ...context, format: 'module' } : context),
    })
    return
  }
  const source = `export const load = (url, context, next) =>
    next(url, /\\.m?ts$/.test(url) ? { ...context, format: 'module' } : context)`
  modules.register(`data:text/javascript,${encodeURIComponent(source)}`)
}

// Finds modules as Jest does: paths without an extension, JSON without an attribute, and `@jest/globals`. The types of TypeScript
// have already been stripped.

/** `globals`: the URL of the module that takes the place of `@jest/globals`, and its exports, if this process has tests. */
export function acceptJestModules(globals = '', exports = undefined) {
  if (exports) {
    const { _load } = modules
    modules._load = (request, ...rest) => (request === '@jest/globals' ? exports : _load(request, ...rest))
  }
  if (modules.registerHooks) {
    modules.registerHooks({
      resolve: (specifier, context, next) => resolve(specifier, context, next, globals),
      load,
    })
    return
  }
  // Node 20 runs hooks in a thread of their own, which gets them as text.
  const source = `const resolveAsJest = ${resolve}
export const load = ${load}
export const resolve = (specifier, context, next) => resolveAsJest(specifier, context, next, ${JSON.stringify(globals)})`
  modules.register(`data:text/javascript,${encodeURIComponent(source)}`)
}

function resolve(specifier, context, next, globals) {
  if (specifier === '@jest/globals' && globals !== '') return { url: globals, shortCircuit: true }
  if (!/^\.\.?(?:\/|$)/.test(specifier) || !`${context.parentURL}`.startsWith('file:'))
    return next(specifier, context)
  const { statSync } = process.getBuiltinModule('node:fs')
  const { fileURLToPath } = process.getBuiltinModule('node:url')
  const isFile = (path) =>
    statSync(fileURLToPath(new URL(path, context.parentURL)), { throwIfNoEntry: false })?.isFile()
  const stems = [specifier, specifier.replace(/\.[cm]?jsx?$/, '')]
  const endings = ['', '.js', '.mjs', '.cjs', '.ts', '.mts', '.json', '/index.js', '/index.ts']
  for (const stem of stems)
    for (const ending of endings) if (isFile(stem + ending)) return next(stem + ending, context)
  return next(specifier, context)
}

function load(url, context, next) {
  if (/\.m?ts$/.test(url)) return next(url, { ...context, format: 'module' })
  if (!url.endsWith('.json')) return next(url, context)
  return next(url, {
    ...context,
    format: 'json',
    importAttributes: { ...context.importAttributes, type: 'json' },
  })
}
