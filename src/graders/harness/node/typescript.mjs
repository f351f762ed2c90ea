// Node 20 does not know the ending `.ts`; the types themselves are stripped before.
const modules = process.getBuiltinModule('node:module')

/** Loads files that end in `.ts` or `.mts` as the JavaScript that they hold. */
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
