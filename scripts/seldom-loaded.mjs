/** What our own files take of libraries that most runs do without. */
const libraries = {
  // What is read of a YAML file is kept.
  yaml: ['Composer', 'isAlias', 'isMap', 'isNode', 'isScalar', 'Lexer', 'LineCounter', 'Parser', 'visit'],
  // Few tasks and reports ask for these.
  picomatch: ['default'],
  'csv-stringify/sync': ['stringify'],
}

// With the properties of the functions, and as classes.
const later = `
const later = (load) =>
  new Proxy(function () {}, {
    apply: (_, self, args) => Reflect.apply(load(), self, args),
    construct: (_, args) => Reflect.construct(load(), args),
    get: (_, key) => load()[key],
  })`

/**
 * A plugin of the bundle: the code of these libraries stays in it, but is run when something of what the files below `ours`
 * take of them is first used. What is taken and not listed stops the build.
 */
export const seldomLoaded = (ours) => ({
  name: 'seldom loaded libraries',
  resolveId: (id, importer = '') =>
    Object.hasOwn(libraries, id) && importer.startsWith(ours) ? `\0later-${id}` : null,
  load: (id) => {
    if (!id.startsWith('\0later-')) return null
    const from = id.slice('\0later-'.length)
    const exported = libraries[from].map((name) => {
      const own = `require(${JSON.stringify(from)})${name === 'default' ? '' : `.${name}`}`
      return `${name === 'default' ? 'export default' : `export const ${name} =`} later(() => ${own})`
    })
    return `${later}\n${exported.join('\n')}`
  },
})
