import { posix } from 'node:path'
import { layers, rooms } from './rooms.ts'

/** One import, re-export or `import()` of a source file. */
export interface Import {
  /** As written; undefined where an `import()` is given something else than a text. */
  specifier: string | undefined
  kind: 'value' | 'type' | 'dynamic'
}

/** Source files by path, with `/`, from the package's root. */
export type Sources = Readonly<Record<string, string>>

/**
 * The source with the contents of comments, strings, templates and regular expressions blanked out, character for
 * character: what is left is code alone, at the same places. Code inside `${}` stays.
 */
export function codeOf(source: string): string {
  const code = source.split('')
  const blank = (from: number, to: number) => {
    for (let i = from; i < to; i++) if (code[i] !== '\n') code[i] = ' '
  }
  const templates: number[] = [] // depth of braces inside each open `${`
  let last = '' // the last piece of code, by which a slash is a division or begins a regular expression
  const token =
    /\/\/.*|\/\*[\s\S]*?\*\/|'(?:\\[\s\S]|[^'\\\n])*'|"(?:\\[\s\S]|[^"\\\n])*"|[\w$]+|\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*|\s+|[\s\S]/g
  const endOfTemplate = (from: number): number => {
    for (let i = from; i < source.length; i++) {
      if (source[i] === '\\') i++
      else if (source[i] === '`') return i + 1
      else if (source.startsWith('${', i)) {
        templates.push(0)
        return i + 2
      }
    }
    return source.length
  }
  for (let i = 0; i < source.length; i = token.lastIndex) {
    token.lastIndex = i
    const [text] = token.exec(source) as RegExpExecArray
    if (/^\s/.test(text)) continue
    if (/^\/[/*]/.test(text)) blank(i, i + text.length)
    else if (text === '`' || (text === '}' && templates.at(-1) === 0)) {
      if (text === '}') templates.pop()
      token.lastIndex = endOfTemplate(i + 1)
      blank(i + 1, token.lastIndex - 1)
      last = source[token.lastIndex - 1] === '{' ? '{' : '`'
    } else if (/^['"]/.test(text) && text.length > 1) {
      blank(i + 1, i + text.length - 1)
      last = '"'
    } else if (text[0] === '/' && text.length > 1) {
      if (/^(?:|[^\w$)\]"`}]|return|typeof|case|in|of|await|yield)$/.test(last)) {
        blank(i + 1, i + text.length - 1)
        last = '"'
      } else {
        token.lastIndex = i + 1
        last = '/'
      }
    } else {
      const depth = templates.length - 1
      if (depth >= 0 && (text === '{' || text === '}'))
        templates[depth] = (templates[depth] ?? 0) + (text === '{' ? 1 : -1)
      last = text
    }
  }
  return code.join('')
}

const fromClause =
  /\b(?:import|export)\b(\s+type\b(?!\s+from\b|\s*,))?\s*(?:[\w$]+\s*,?\s*)?(?:\*(?:\s*as\s+[\w$]+)?\s*|\{[^{}]*\}\s*)?\bfrom\s*(['"])( *)\2/g
const bareImport = /\bimport\s*(['"])( *)\1/g
const dynamicImport = /\bimport\s*\(\s*(?:(['"`])( *)\1\s*[,)])?/g

/** Everything that a source file imports: what comments and strings say does not count, `import type` does. */
export function importsOf(source: string): Import[] {
  const code = codeOf(source)
  const found: { at: number; value: Import }[] = []
  const take = (pattern: RegExp, kind: (match: RegExpMatchArray) => Import['kind'], gap: number) => {
    for (const match of code.matchAll(new RegExp(pattern, 'gd'))) {
      const [from, to] = match.indices?.[gap] ?? []
      found.push({
        at: match.index,
        value: { specifier: from === undefined ? undefined : source.slice(from, to), kind: kind(match) },
      })
    }
  }
  take(fromClause, (match) => (match[1] ? 'type' : 'value'), 3)
  take(bareImport, () => 'value', 2)
  take(dynamicImport, () => 'dynamic', 2)
  return found.sort((a, b) => a.at - b.at).map(({ value }) => value)
}

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
