// Node 20 does not know the extension `.ts`. The types have already been stripped.
const modules = process.getBuiltinModule('node:module')

/** Refuses a file of JSX in plain words. It is a part of what a thread gets as text. */
function refuseJsx(url) {
  if (/\.[jt]sx$/.test(url))
    throw new Error(
      'JSX is not compiled: write the file without JSX as .ts or .js, or let a command of the task run the tests (runner: command)',
    )
}

/** Loads `.ts` and `.mts` files as JavaScript. */
export function acceptTypeScript() {
  const isTypeScript = (url) => /\.m?ts$/.test(url)
  if (modules.registerHooks) {
    modules.registerHooks({
      load: (url, context, next) => {
        refuseJsx(url)
        return next(url, isTypeScript(url) ? { ...context, format: 'module' } : context)
      },
    })
    return
  }
  const source = `${refuseJsx}
export const load = async (url, context, next) =>
    refuseJsx(url) ?? next(url, /\\.m?ts$/.test(url) ? { ...context, format: 'module' } : context)`
  modules.register(`data:text/javascript,${encodeURIComponent(source)}`)
}

// Finds modules as Jest, Vitest and tsx do: paths without an extension, also absolute ones, JSON without an attribute, and the module of their own names.
// The types of TypeScript have already been stripped.

/**
 * `own`: the URLs of the modules that take the place of `@jest/globals` and the like. `exports`: what these export, if this process
 * has tests, for `require`.
 */
export function acceptJestModules(own = {}, exports = undefined) {
  const { _load, _extensions } = modules
  if (exports) modules._load = (request, ...rest) => (own[request] ? exports : _load(request, ...rest))
  for (const ending of ['.ts', '.cts', '.mts']) _extensions[ending] ??= _extensions['.js']
  for (const ending of ['.jsx', '.tsx']) _extensions[ending] ??= (_module, path) => refuseJsx(path)
  if (modules.registerHooks) {
    modules.registerHooks({
      resolve: (specifier, context, next) => resolve(specifier, context, next, own),
      load,
    })
    return
  }
  // Node 20 runs hooks in a thread of their own, which gets them as text.
  const source = `${refuseJsx}
const resolveAsJest = ${resolve}
export const load = ${load}
export const resolve = (specifier, context, next) => resolveAsJest(specifier, context, next, ${JSON.stringify(own)})`
  modules.register(`data:text/javascript,${encodeURIComponent(source)}`)
}

function resolve(specifier, context, next, own) {
  if (Object.hasOwn(own, specifier)) return { url: own[specifier], shortCircuit: true }
  const isPath = /^(?:\.\.?(?:\/|$)|\/|file:)/.test(specifier)
  if (!isPath || !`${context.parentURL}`.startsWith('file:')) return next(specifier, context)
  const { statSync } = process.getBuiltinModule('node:fs')
  const { fileURLToPath } = process.getBuiltinModule('node:url')
  const isFile = (path) =>
    statSync(fileURLToPath(new URL(path, context.parentURL)), { throwIfNoEntry: false })?.isFile()
  const stems = [specifier, specifier.replace(/\.[cm]?jsx?$/, '')]
  const endings = [
    '',
    '.js',
    '.mjs',
    '.cjs',
    '.ts',
    '.mts',
    '.cts',
    '.json',
    '/index.js',
    '/index.ts',
    '.tsx',
    '.jsx',
  ]
  for (const stem of stems)
    for (const ending of endings) if (isFile(stem + ending)) return next(stem + ending, context)
  return next(specifier, context)
}

function load(url, context, next) {
  refuseJsx(url)
  if (/\.m?ts$/.test(url)) return next(url, { ...context, format: 'module' })
  if (/\.cts$/.test(url)) return next(url, { ...context, format: 'commonjs' })
  if (!url.endsWith('.json')) return next(url, context)
  return next(url, {
    ...context,
    format: 'json',
    importAttributes: { ...context.importAttributes, type: 'json' },
  })
}
