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
