import { posix } from 'node:path'
import { parse } from '@babel/parser'
import { layers, rooms } from './rooms.ts'

/** One import, re-export or `import()` of a source file. */
export interface Import {
  /** As written; undefined where an `import()` is given something else than a text. */
  specifier: string | undefined
  kind: 'value' | 'type' | 'dynamic'
}

/** Source files by path, with `/`, from the package's root. */
export type Sources = Readonly<Record<string, string>>

interface Parsed {
  code: string
  imports: readonly Import[]
  exports: readonly string[]
  /** The names that it takes of other files; `*` stands for all of them. */
  taken: readonly { specifier: string; name: string }[]
}

/** Each source is parsed once, however many rules look at it. */
const parsed = new Map<string, Parsed>()

function parseSource(source: string): Parsed {
  let known = parsed.get(source)
  if (!known) {
    const { program, comments, tokens } = parse(source, {
      sourceType: 'unambiguous',
      plugins: ['typescript'],
      errorRecovery: true,
      tokens: true,
    })
    const pieces = (tokens ?? []) as readonly Token[]
    const imports = [...staticImports(program.body), ...dynamicImports(pieces, source)]
    known = {
      code: blankTexts(source, [...((comments ?? []) as Token[]), ...pieces]),
      imports: imports.sort((a, b) => a.at - b.at).map(({ value }) => value),
      exports: program.body.flatMap(exportedNames),
      taken: program.body.flatMap(takenNames),
    }
    parsed.set(source, known)
  }
  return known
}

/** A token of @babel/parser, of which its types tell nothing. */
interface Token {
  type: string | { label: string }
  start: number
  end: number
}

const labelOf = ({ type }: Token) => (typeof type === 'string' ? type : type.label)

/** How many characters at both ends of a text stay, by the kind of its token. */
const edges: Readonly<Record<string, number>> = {
  CommentLine: 0,
  CommentBlock: 0,
  string: 1,
  regexp: 1,
  template: 0,
}

function blankTexts(source: string, pieces: readonly Token[]): string {
  const code = source.split('')
  for (const piece of pieces) {
    const edge = edges[labelOf(piece)]
    if (edge === undefined) continue
    for (let i = piece.start + edge; i < piece.end - edge; i++) if (code[i] !== '\n') code[i] = ' '
  }
  return code.join('')
}

type Statement = ReturnType<typeof parse>['program']['body'][number]

function exportedNames(node: Statement): string[] {
  if (node.type !== 'ExportNamedDeclaration' || !node.declaration) return []
  const { declaration } = node
  if (declaration.type === 'VariableDeclaration')
    return declaration.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []))
  return 'id' in declaration && declaration.id?.type === 'Identifier' ? [declaration.id.name] : []
}

function takenNames(node: Statement): { specifier: string; name: string }[] {
  if (!('source' in node) || !node.source) return []
  const specifier = node.source.value
  if (!('specifiers' in node) || !node.specifiers) return [{ specifier, name: '*' }]
  return node.specifiers.map((one) => {
    const named = 'imported' in one ? one.imported : one.type === 'ExportSpecifier' ? one.local : undefined
    const name = named?.type === 'Identifier' ? named.name : (named?.value ?? '*')
    return { specifier, name }
  })
}

interface Found {
  at: number
  value: Import
}

function staticImports(body: ReturnType<typeof parse>['program']['body']): Found[] {
  return body.flatMap((node) => {
    if (!('source' in node) || !node.source) return []
    const isType =
      ('importKind' in node && node.importKind === 'type') ||
      ('exportKind' in node && node.exportKind === 'type')
    const value: Import = { specifier: node.source.value, kind: isType ? 'type' : 'value' }
    return [{ at: node.start ?? 0, value }]
  })
}

/** `import()` as an expression and as a type: the two tokens `import` and `(`. */
function dynamicImports(tokens: readonly Token[], source: string): Found[] {
  return tokens.flatMap((token, i) => {
    const [open, first, second, third] = tokens.slice(i + 1, i + 5)
    if (labelOf(token) !== 'import' || !open || labelOf(open) !== '(' || !first) return []
    const isTemplate = labelOf(first) === '`' && third !== undefined && labelOf(third) === '`'
    const text = labelOf(first) === 'string' ? source.slice(first.start + 1, first.end - 1) : undefined
    const specifier = isTemplate && second ? source.slice(second.start, second.end) : text
    return [{ at: token.start, value: { specifier, kind: 'dynamic' as const } }]
  })
}

/**
 * The source with the contents of comments, strings, templates and regular expressions blanked out, character for
 * character: what is left is code alone, at the same places. Code inside `${}` stays.
 */
export const codeOf = (source: string): string => parseSource(source).code

/** Everything that a source file imports: what comments and strings say does not count, `import type` does. */
export const importsOf = (source: string): readonly Import[] => parseSource(source).imports

/** The path that a relative import means; undefined for packages and built-in modules. */
export function resolveImport(file: string, { specifier }: Import): string | undefined {
  return specifier?.startsWith('.') ? posix.join(posix.dirname(file), specifier) : undefined
}

/** The name of the package or built-in module: `zod`, `@a/b`, `node:fs`; undefined for relative imports. */
export function packageOf({ specifier }: Import): string | undefined {
  if (specifier === undefined || specifier.startsWith('.')) return undefined
  return specifier.startsWith('node:')
    ? specifier
    : specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
}

/** Returns the part of the source tree that a file is in: its folder in src/, its own name there, or strategies. */
export function partOf(path: string): string {
  const [top = '', next = ''] = path.split('/')
  return top === 'src' ? next.replace(/\.ts$/, '') : top
}

/** Returns imports of later or neighbouring layers, of unknown layers or files, and of strategies/ outside the commands. */
export function layerProblems(sources: Sources): string[] {
  const rank = (path: string) => layers.findIndex((layer) => layer.includes(partOf(path)))
  return Object.entries(sources).flatMap(([file, source]) => {
    if (rank(file) < 0) return [`${file} stands in no layer`]
    return importsOf(source).flatMap((one) => {
      const target = resolveImport(file, one)
      if (target === undefined) return []
      if (!Object.hasOwn(sources, target))
        return [`${file} imports ${one.specifier}, which is no source file`]
      if (partOf(target) === partOf(file)) return []
      if (partOf(target) === 'strategies' && partOf(file) !== 'commands') return [`${file} imports ${target}`]
      return rank(target) < rank(file) ? [] : [`${file} imports ${target}`]
    })
  })
}

/** Returns files of a divided folder that are in no room, and imports of a later room. */
export function roomProblems(sources: Sources): string[] {
  return Object.entries(rooms).flatMap(([folder, order]) => {
    const rank = (path: string) => order.indexOf(path.slice(folder.length + 1).split('/')[0] ?? '')
    const inside = Object.entries(sources).filter(([path]) => path.startsWith(`${folder}/`))
    return inside.flatMap(([file, source]) => {
      if (rank(file) < 0) return [`${file} stands in no room`]
      return importsOf(source).flatMap((one) => {
        const target = resolveImport(file, one)
        if (!target?.startsWith(`${folder}/`) || rank(target) <= rank(file)) return []
        return [`${file} imports ${target}`]
      })
    })
  })
}

/** The first circle of imports, as a path that ends where it began; undefined when there is none. Type imports count. */
export function importCircle(sources: Sources): string[] | undefined {
  const finished = new Set<string>()
  const visit = (file: string, path: readonly string[]): string[] | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file]
    if (finished.has(file)) return undefined
    for (const one of importsOf(sources[file] ?? '')) {
      const target = resolveImport(file, one)
      const circle = target !== undefined && Object.hasOwn(sources, target) && visit(target, [...path, file])
      if (circle) return circle
    }
    finished.add(file)
    return undefined
  }
  for (const file of Object.keys(sources)) {
    const circle = visit(file, [])
    if (circle) return circle
  }
  return undefined
}

/** Returns exports of these files that no file among the users takes. What is loaded by `import()` is taken whole. */
export function unusedExports(sources: Sources, users: Sources): string[] {
  const taken = new Set<string>()
  for (const [file, source] of Object.entries(users)) {
    for (const { specifier, name } of parseSource(source).taken)
      if (specifier.startsWith('.')) taken.add(`${posix.join(posix.dirname(file), specifier)} ${name}`)
    for (const one of importsOf(source))
      if (one.kind === 'dynamic') taken.add(`${resolveImport(file, one)} *`)
  }
  return Object.entries(sources)
    .filter(([file]) => !taken.has(`${file} *`))
    .flatMap(([file, source]) => parseSource(source).exports.map((name) => `${file} ${name}`))
    .filter((one) => !taken.has(one))
}

/** Returns lines whose code, without comments and strings, matches, as `file:line what`. */
export function codeMatches(sources: Sources, pattern: RegExp): string[] {
  return Object.entries(sources).flatMap(([file, source]) =>
    codeOf(source)
      .split('\n')
      .flatMap((line, i) => {
        const match = pattern.exec(line)
        return match ? [`${file}:${i + 1} ${match[0].trim()}`] : []
      }),
  )
}

/** The type `any` where no biome-ignore comment right above says why. */
export function unexplainedAny(sources: Sources): string[] {
  return codeMatches(sources, /(?<![.\w$])any\b(?!\s*[:(])/).filter((found) => {
    const [, file = '', line = ''] = /^(.*):(\d+) /.exec(found) ?? []
    const above = (sources[file] ?? '').split('\n')[Number(line) - 2] ?? ''
    return !/\/\/ biome-ignore lint\/suspicious\/noExplicitAny: \S/.test(above)
  })
}

/** Returns names that the docs never show as code (`name`, `name:…`, `name[…]`); a plain word may be there by chance. */
export function undocumented(names: readonly string[], docs: string): string[] {
  return names.filter((name) => !new RegExp(`\`${name}[\`:[]`).test(docs))
}

/** Returns each name that is there more than once. */
export function repeated(names: readonly string[]): string[] {
  return [...new Set(names.filter((name, at) => names.indexOf(name) !== at))]
}

/** Files of a folder in src/ whose code says that they are one of several, and that the registry does not import. */
export function unregistered(
  sources: Sources,
  folder: string,
  one: RegExp,
  registry = `src/${folder}/registry.ts`,
): string[] {
  const known = importsOf(sources[registry] ?? '').map((found) => resolveImport(registry, found))
  return Object.keys(sources).filter(
    (path) =>
      path.startsWith(`src/${folder}/`) &&
      path !== registry &&
      !known.includes(path) &&
      one.test(codeOf(sources[path] ?? '')),
  )
}
