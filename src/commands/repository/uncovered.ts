import type { Files, Task } from '../../schema/task.ts'

/** What a test needs that the runners of bench do not have, and what to do. */
export interface Uncovered {
  what: string
  fix: string
}

const without = (what: string): Uncovered => ({
  what: `they need ${what}, which bench does not have`,
  fix: "Name test files that do without, such as --tests 'vitest run test/x.test.ts', or another commit. Tests that pass count, whatever others need.",
})

/** Returns what a failed test or file needs that bench does not have; undefined if its message says nothing of that kind. */
export function uncoveredPart(message: string, task: Task): Uncovered | undefined {
  for (const { pattern, part } of parts) {
    const found = pattern.exec(message)
    const known = found && part(found[1] ?? '', task)
    if (known) return known
  }
  return undefined
}

const parts: readonly { pattern: RegExp; part(found: string, task: Task): Uncovered | undefined }[] = [
  { pattern: /snapshots are not available/, part: () => without('snapshots') },
  { pattern: /a mock of modules is not available/, part: () => without('mocks of modules') },
  {
    pattern:
      /\b(?:document|window|navigator|HTMLElement|localStorage|customElements|DOMParser) is not defined/,
    part: () => without('a browser such as jsdom'),
  },
  { pattern: /([\w.]+)(?:: [\w ]+)? (?:is|are) not available in this runner/, part: (name) => without(name) },
  { pattern: /Unknown file extension "\.[jt]sx"/, part: () => without('JSX') },
  {
    pattern:
      /TypeScript (?:enum|namespace|parameter property|import equals|export assignment)\S*|(?:enum|namespace|parameter propert)[^.]* not supported in strip-only mode/,
    part: () => ({
      what: 'they import enums, namespaces or parameter properties, which stripping types cannot run',
      fix: "Write --tests 'node --import tsx --test' with the same files: bench compiles these then, as --experimental-transform-types does.",
    }),
  },
  {
    pattern: /Cannot find (?:module|package) '(?:\S*\/)?((?:dist|build|lib|out|esm|cjs)\/[^']*\.[cm]?js)'/,
    part: (path) => ({
      what: `they import ${path}, which a build makes and git does not have (an import of the repository by its own name leads there, too)`,
      fix: "Name test files that import the source, such as --tests 'vitest run test/x.test.ts'. If a built file is text and small, add --include with its path.",
    }),
  },
  {
    pattern: /Cannot find (?:package|module) '([^'./][^']*)'/,
    part: (specifier, task) =>
      isAlias(specifier, task)
        ? aliasPart(specifier)
        : isOwnPath(specifier, task)
          ? missingPart(specifier)
          : packagePart(specifier),
  },
]

const nameOf = (specifier: string) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')

const aliasPart = (specifier: string): Uncovered => ({
  what: `they import ${specifier} by an alias (paths of tsconfig.json, or the configuration of the runner), which bench does not read`,
  fix: "Name test files that import by relative paths, such as --tests 'vitest run test/x.test.ts', or a commit where they do.",
})

const packagePart = (specifier: string): Uncovered => ({
  what: `they import ${nameOf(specifier)}, which is not in node_modules, or has a native part`,
  fix: `Install the packages in the folder of --repo first, for example with npm ci; for a bare repository, make a clone first. If ${nameOf(specifier)} has a native part, a task cannot hold it: name test files that do without.`,
})

/** The files after the commit, without its tests. */
const filesAfter = ({ files, hidden }: Task): Files => ({ ...files, ...hidden.solution?.files })

/** Whether a path begins in the repository: the name of its root is left out of messages. */
const isOwnPath = (specifier: string, task: Task) => {
  const folder = `${specifier.split('/')[0]}/`
  return specifier.includes('/') && Object.keys(filesAfter(task)).some((path) => path.startsWith(folder))
}

const missingPart = (path: string): Uncovered => ({
  what: `they import ${path}, which is not a file of the task`,
  fix: 'If something makes that file, and it is text, make it and add --include with its path. Otherwise name test files that do not need it.',
})

/** Whether a specifier is an alias: a setting of the repository names it, or it is the repository's own name. */
function isAlias(specifier: string, task: Task): boolean {
  const files = filesAfter(task)
  if (/^[~#@]\//.test(specifier)) return true
  const first = specifier.split('/')[0] as string
  const settings = Object.entries(files).filter(([path]) =>
    /(?:^|\/)(?:tsconfig[\w.-]*\.json|(?:vitest|vite|jest)\.config\.[cm]?[jt]s)$/.test(path),
  )
  const isNamed = ([, text]: [string, string]) =>
    [specifier, first, `${first}/*`, `^${first}`].some((name) =>
      new RegExp(`['"\`]?${escaped(name)}['"\`]?\\s*:`).test(text),
    )
  if (settings.some(isNamed)) return true
  try {
    const { name, jest } = JSON.parse(files['package.json'] ?? '{}') as { name?: string; jest?: object }
    return name === nameOf(specifier) || JSON.stringify(jest ?? {}).includes(`"^${first}`)
  } catch {
    return false
  }
}

const escaped = (text: string) => text.replace(/[\\*?[\]{}()!+@^$.|]/g, '\\$&')
