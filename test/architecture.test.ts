import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { families } from '../src/agents/http/families.ts'
import { providers } from '../src/agents/registry.ts'
import { packageRoot } from '../src/base/package-root.ts'
import { graders } from '../src/graders/registry.ts'
import { formats, runFormats } from '../src/reports/registry.ts'
import { importers } from '../src/suites/registry.ts'
import { strategies } from '../strategies/index.ts'
import { ToolEntry, tools } from '../strategies/tools/registry.ts'
import {
  codeMatches,
  importCircle,
  importsOf,
  layerProblems,
  packageOf,
  partOf,
  repeated,
  resolveImport,
  roomProblems,
  type Sources,
  undocumented,
  unexplainedAny,
  unregistered,
  unusedExports,
} from './helpers/house/imports.ts'
import { rooms } from './helpers/house/rooms.ts'

const root = packageRoot()
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const filesIn = (folder: string, extension: RegExp): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && extension.test(entry.name))
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(root.length + 1)
        .replaceAll('\\', '/'),
    )
    .sort()
const load = (paths: readonly string[]): Sources =>
  Object.fromEntries(paths.map((path) => [path, read(path)]))
const only = (sources: Sources, keep: (path: string) => boolean): Sources =>
  Object.fromEntries(Object.entries(sources).filter(([path]) => keep(path)))

const sources = load([...filesIn('src', /\.ts$/), ...filesIn('strategies', /\.ts$/)])
/** All modules, with the programs that run in other processes. */
const modules = {
  ...sources,
  ...load([...filesIn('src', /\.[cm]js$/), ...filesIn('strategies/tools', /\.mjs$/)]),
}
const inSrc = only(sources, (path) => path.startsWith('src/'))
/** Returns the files that import one of these packages. */
const importersOf = (sources: Sources, packages: readonly string[]) =>
  Object.keys(sources).filter((path) =>
    importsOf(sources[path] ?? '').some((one) => packages.includes(packageOf(one) ?? '')),
  )

/** No more files of at most 60 lines than these are imported by one file of src alone. */
const mostCrumbs = 36

describe('the source tree', () => {
  it('has layers: a folder imports only earlier layers, never its neighbours or later ones', () => {
    expect(layerProblems(modules)).toEqual([])
  })

  it('has rooms in an order: a room imports only itself and earlier rooms', () => {
    expect(roomProblems(modules)).toEqual([])
  })

  it('has no room without files', () => {
    const named = Object.entries(rooms).flatMap(([folder, order]) => order.map((name) => `${folder}/${name}`))
    const paths = Object.keys(modules)
    expect(
      named.filter((room) => !paths.some((path) => path === room || path.startsWith(`${room}/`))),
    ).toEqual([])
  })

  it('names what it imports, except where it loads the user’s own modules', () => {
    const unnamed = Object.keys(sources).filter((path) =>
      importsOf(sources[path] ?? '').some(({ specifier }) => specifier === undefined),
    )
    expect(unnamed).toEqual(['src/agents/scripted.ts'])
    expect(importersOf(sources, ['jiti'])).toEqual(['src/commands/methods/own-strategy.ts'])
  })

  it('has its tests in the same rooms: a folder of test/ is a folder of src/ or strategies/', () => {
    const kinds = ['browser', 'cli', 'faults', 'heavy', 'helpers', 'live', 'model-server', 'nightly']
    const own = filesIn('test', /./).filter((path) => !kinds.includes(path.split('/')[1] ?? ''))
    // The texts that a room's tests compare stand in its folder messages.
    const folders = new Set(
      own.map((path) =>
        dirname(path)
          .slice('test'.length + 1)
          .replace(/\/messages$/, ''),
      ),
    )
    const strange = [...folders].filter(
      (folder) => !existsSync(join(root, 'src', folder)) && !existsSync(join(root, folder)),
    )
    // These laws hold for many procedures at once.
    expect(strange).toEqual(['analysis/laws'])
  })

  it('skips tests only by their needs, so that the last line of a run can count them', () => {
    const tests = load(filesIn('test', /\.ts$/).filter((path) => path !== 'test/helpers/house/needs.ts'))
    const left = codeMatches(tests, /\b(?:it|test|describe)\.(?:skip|skipIf|runIf|todo)\b/)
    expect(left).toEqual([])
  })

  it('looks for fences in one place: the scanner of replies', () => {
    // These write Markdown, or cut what stands beside the marks of thoughts that the scanner found.
    const others = ['src/text/fence.ts', 'src/formats/convert.ts', 'src/replies/thoughts.ts']
    const own = only(modules, (path) => !/^src\/replies\/scan/.test(path) && !others.includes(path))
    // Whole lines are looked at: a tick in an expression looks like the begin of a text.
    const found = Object.entries(own).flatMap(([path, source]) =>
      source
        .split('\n')
        .filter((line) => !/^\s*(?:\/?\*|\/\/)/.test(line) && /```|~~~|[`~]\{3|\[(?:`~|~`)\]/.test(line))
        .map((line) => `${path}: ${line.trim()}`),
    )
    expect(found).toEqual([])
  })

  it('has no circle of imports, types included', () => {
    expect(importCircle(modules)).toBeUndefined()
  })

  it('has no circle of imports in Python, inside of functions included', () => {
    const python = load(filesIn('src', /\.py$/))
    const asModules = Object.entries(python).map(([path, source]) => {
      const names = [...source.matchAll(/^ *(?:import|from) +(bench_\w+)/gm)].map(([, name]) => name)
      return [path, names.map((name) => `import './${name}.py'`).join('\n')]
    })
    expect(asModules.length).toBeGreaterThan(10)
    expect(importCircle(Object.fromEntries(asModules))).toBeUndefined()
  })

  it('has files of at most 20 imports', () => {
    const many = Object.entries(sources).filter(([, source]) => importsOf(source).length > 20)
    expect(many.map(([path]) => path)).toEqual([])
  })

  it('has folders at most three deep below src', () => {
    expect(filesIn('src', /./).filter((path) => path.split('/').length > 5)).toEqual([])
  })

  it('has few small files that one file alone imports', () => {
    const importers = new Map<string, Set<string>>()
    for (const [file, source] of Object.entries(inSrc))
      for (const one of importsOf(source)) {
        const target = resolveImport(file, one)
        if (target) importers.set(target, (importers.get(target) ?? new Set()).add(file))
      }
    const isEntry = (path: string) => /\/(?:registry|families|kinds)\.ts$|^src\/cli\.ts$/.test(path)
    const crumbs = [...importers].filter(([path, by]) => {
      const isSmall = (inSrc[path]?.split('\n').length ?? Number.POSITIVE_INFINITY) <= 61
      return isSmall && by.size === 1 && !isEntry([...by][0] ?? '')
    })
    expect(crumbs.length, crumbs.map(([path]) => path).join('\n')).toBeLessThanOrEqual(mostCrumbs)
  })

  it('imports only Node and the declared dependencies', () => {
    type Named = Record<'dependencies' | 'peerDependencies', Record<string, string>>
    const { dependencies, peerDependencies } = JSON.parse(read('package.json')) as Named
    const declared = { ...dependencies, ...peerDependencies }
    // The build makes one file of each of these modules and its packages.
    const others = Object.entries(modules).filter(([path]) => !/harness\/node\/\w+-library\.mjs$/.test(path))
    const foreign = others.flatMap(([path, source]) =>
      importsOf(source)
        .map(packageOf)
        .filter((name) => name !== undefined && !name.startsWith('node:') && !Object.hasOwn(declared, name))
        .map((name) => `${path} imports ${name}`),
    )
    expect(foreign).toEqual([])
  })

  it('names a file for its one idea: no barrels, no utils, common, helpers or types', () => {
    const vague = Object.keys(inSrc).filter((path) =>
      /(^|\/)(utils?|common|helpers?|types?)(\/|\.ts$)/.test(path),
    )
    expect(vague).toEqual([])
    expect(Object.keys(inSrc).filter((path) => basename(path) === 'index.ts')).toEqual([])
  })

  it('keeps every file under 250 lines', () => {
    const long = Object.entries(sources).map(([path, source]) => `${path} ${source.split('\n').length - 1}`)
    expect(long.filter((line) => Number(line.split(' ')[1]) > 250)).toEqual([])
  })

  it('exports by name; only commands, which the command line loads one at a time, have a default', () => {
    const elsewhere = only(inSrc, (path) => partOf(path) !== 'commands')
    expect(codeMatches(elsewhere, /\bexport\s+default\b|\bas\s+default\b/)).toEqual([])
  })

  it('exports nothing that no other file uses, but at its doors', () => {
    const doors = ['api', 'ask', 'author', 'cli', 'graph', 'stage', 'strategy', 'testing'].map(
      (name) => `src/${name}.ts`,
    )
    const inside = only(sources, (path) => !doors.includes(path))
    const users = load([...filesIn('test', /\.ts$/), ...filesIn('scripts', /\.m?[jt]s$/)])
    expect(unusedExports(inside, { ...modules, ...sources, ...users })).toEqual([])
  })

  it('explains every use of the type any', () => {
    expect(unexplainedAny(sources)).toEqual([])
  })
})

describe('the strategy’s context', () => {
  const outside =
    /(?<![\w$.])(?:Date|performance|setTimeout|setInterval|setImmediate|queueMicrotask|fetch|process|globalThis)\b|\bMath\s*\.\s*random\b|\bPromise\s*\.\s*(?:race|any)\b/
  const methods = only(
    sources,
    (path) => /^strategies\/[^/]+$/.test(path) || path.startsWith('src/workflows/'),
  )

  it('is a strategy’s only interface: no clock, random numbers, timer, race, process or network', () => {
    expect(Object.keys(methods).length).toBeGreaterThan(3)
    expect(codeMatches(methods, outside)).toEqual([])
  })

  it('is its only access to files and programs: strategies and workflows import neither Node nor execa', () => {
    const imported = Object.values(methods).flatMap((source) => importsOf(source).map(packageOf))
    expect(imported.filter((name) => name?.startsWith('node:') || name === 'execa')).toEqual([])
  })

  it('starts programs only in the sandbox and the commands', () => {
    const starting = importersOf(sources, ['node:child_process', 'node:cluster', 'execa'])
    expect(starting.filter((path) => !['sandbox', 'commands'].includes(partOf(path)))).toEqual([])
  })

  it('starts nothing from the registry of tools, nor from what that imports', () => {
    const reached = new Set<string>()
    const packages = new Set<string | undefined>()
    const visit = (path: string) => {
      if (reached.has(path)) return
      reached.add(path)
      for (const one of importsOf(modules[path] ?? '')) {
        const file = resolveImport(path, one)
        if (file === undefined) packages.add(packageOf(one))
        else visit(file)
      }
    }
    visit('strategies/tools/registry.ts')
    expect([...packages]).toEqual(['zod'])
    expect([...reached].filter((path) => path.startsWith('src/sandbox/') || path.endsWith('.mjs'))).toEqual(
      [],
    )
  })

  it('reaches the memory through the tools of agents alone', () => {
    const importing = Object.entries(modules).flatMap(([path, source]) =>
      importsOf(source).some((one) => resolveImport(path, one)?.startsWith('src/memory/')) ? [path] : [],
    )
    const strange = importing.filter((path) => !/^src\/(?:memory|agent-tools)\//.test(path))
    expect(strange).toEqual([])
  })

  it('starts one thread, the watchdog of the user’s code', () => {
    expect(importersOf(sources, ['node:worker_threads'])).toEqual(['src/user-code/watchdog.ts'])
  })

  it('never opens a shell', () => {
    const scripts = load([
      ...filesIn('src', /\.[cm]js$/),
      ...filesIn('strategies/tools', /\.mjs$/),
      ...filesIn('scripts', /\.m?[jt]s$/),
    ])
    expect(
      codeMatches({ ...sources, ...scripts }, /\bshell\s*:(?!\s*false\b)|\bexecSync\b|\bexecaCommand\b/),
    ).toEqual([])
  })
})

describe('a stage program', () => {
  const programs = load(filesIn('strategies/chained', /\.mjs$/))

  it('is plain Node: it imports only Node and files beside it, in no circle', () => {
    expect(Object.keys(programs).length).toBeGreaterThan(6)
    const strange = Object.entries(programs).flatMap(([path, source]) =>
      importsOf(source)
        .filter((one) => !/^(?:node:[\w/]+|\.\/[\w-]+\.mjs)$/.test(one.specifier ?? ''))
        .map(({ specifier }) => `${path} imports ${specifier}`),
    )
    expect(strange).toEqual([])
    expect(importCircle(programs)).toBeUndefined()
  })

  it('is short, and opens no shell', () => {
    const long = Object.entries(programs).filter(([, source]) => source.split('\n').length > 200)
    expect(long.map(([path]) => path)).toEqual([])
    expect(codeMatches(programs, /\bshell\s*:(?!\s*false\b)|\bexecSync\b/)).toEqual([])
  })
})

describe('the command line', () => {
  it('has every command that exists', () => {
    const loaders = ['src/cli.ts', ...filesIn('src/commands/declared', /\.ts$/)]
    const loaded = loaders.flatMap((path) =>
      importsOf(sources[path] ?? '').map((one) => resolveImport(path, one)),
    )
    const commands = codeMatches(
      only(sources, (path) => partOf(path) === 'commands'),
      /\bexport\s+default\b/,
    )
    expect(commands.map((found) => found.split(':')[0]).filter((path) => !loaded.includes(path))).toEqual([])
  })
})

describe('a registry', () => {
  const docs = [...filesIn('docs', /\.md$/), 'README.md'].map(read).join('\n')
  /** Returns the text of a folder's test files that call a contract suite, and of the helpers that they import. */
  const suiteOf = (folder: string, contract: RegExp) =>
    [folder, 'heavy']
      .flatMap((one) => filesIn(`test/${one}`, /\.test\.ts$/))
      .map(read)
      .filter((text) => contract.test(text))
      .flatMap((text) => [text, ...helpersOf(text).map(read)])
      .join('\n')
  const helpersOf = (text: string) =>
    [...text.matchAll(/ from '[./]*\/(helpers\/[\w/-]+\.ts)'/g)].map(([, helper]) => `test/${helper}`)

  it('a strategy is registered under its file’s name, documented, and played in its own test', () => {
    const names = strategies.map(({ name }) => name)
    const files = Object.keys(sources).filter((path) => /^strategies\/(?!index\.ts)[^/]+$/.test(path))
    expect([...names].sort()).toEqual(files.map((path) => basename(path, '.ts')))
    expect(names.filter((name) => !existsSync(join(root, `test/strategies/${name}.test.ts`)))).toEqual([])
    expect(undocumented(names, docs)).toEqual([])
  })

  it.each([
    ['Family', 'agents/http', 'src/agents/http/families.ts'],
    ['CliKind', 'agents/cli', 'src/agents/cli/kinds.ts'],
    ['Provider', 'agents/providers', 'src/agents/registry.ts'],
  ])('a provider that is a %s is registered', (type, folder, registry) => {
    const declared = new RegExp(`export const \\w+: ${type}\\b|\\bsatisfies ${type}\\b`)
    expect(codeMatches(sources, declared).length).toBeGreaterThan(0)
    expect(
      unregistered(sources, folder, declared, registry),
      `${registry} does not import these files; see docs/guides/extend.md`,
    ).toEqual([])
  })

  it('a provider has a name of its own that --agents can take', () => {
    const names = providers.map(({ name }) => name)
    expect(repeated(names), 'several providers have these names; a name selects one provider').toEqual([])
    expect(
      names.filter((name) => !/^[a-z][a-z0-9-]*$/.test(name)),
      'the name of a provider has only lower-case letters, digits and hyphens: a colon ends it in --agents',
    ).toEqual([])
  })

  it('a provider is documented and held by the contract suite', () => {
    const guide = 'see docs/guides/extend.md'
    const names = providers.map(({ name }) => name)
    const suite = suiteOf('agents', /agentContract\(/)
    expect(undocumented(names, docs), `no page of docs has these names in backticks; ${guide}`).toEqual([])
    // These two helpers derive their agents from the registry.
    const overHttp = /= families\.map\(/.test(suite) ? families : []
    const local = /const own = providers\.filter\(/.test(suite)
      ? providers.filter(({ reaches }) => reaches === 'nothing' || reaches === 'module')
      : []
    const derived = [...overHttp, ...local].map(({ name }) => name)
    const held = (name: string) => derived.includes(name) || suite.includes(`'${name}`)
    expect(
      names.filter((name) => !held(name)),
      `no test runs agentContract on these providers; ${guide}`,
    ).toEqual([])
  })

  it('a grader is registered, documented and held by the contract suite', () => {
    const kinds = Object.keys(graders)
    const suite = suiteOf('graders', /\btestGrader\(/)
    expect(unregistered(sources, 'graders', /: Grader</)).toEqual([])
    expect(undocumented(kinds, docs)).toEqual([])
    expect(kinds.filter((kind) => !new RegExp(`^ +${kind}: \\{`, 'm').test(suite))).toEqual([])
  })

  it('a tool is registered, built and documented', () => {
    const names = tools.map(({ name }) => name)
    expect(repeated(names)).toEqual([])
    expect(tools.map((tool) => ToolEntry.parse(tool))).toEqual(tools)
    expect(names.filter((name) => !existsSync(join(root, `strategies/tools/${name}.mjs`)))).toEqual([])
    expect(tools.map(({ program }) => program)).toEqual(names.map((name) => `dist/bench/tools/${name}.mjs`))
    expect(undocumented(names, docs)).toEqual([])
  })

  it('an importer is registered, documented and tested', () => {
    const tests = filesIn('test/suites', /\.test\.ts$/).map((path) => basename(path, '.test.ts'))
    const names = importers.map(({ name }) => name)
    expect(unregistered(sources, 'suites', /\bconst \w+: Importer\b/)).toEqual([])
    expect(undocumented(names, docs)).toEqual([])
    expect(names.filter((name) => !tests.some((test) => test.startsWith(name)))).toEqual([])
  })

  it('a report format is registered, documented and tested', () => {
    const guide = 'see docs/guides/extend.md'
    const names = Object.keys(formats)
    expect(
      names.filter((name) => Object.hasOwn(runFormats, name)),
      'runFormats in src/reports/registry.ts already has these names, so --format never reaches yours; rename it',
    ).toEqual([])
    expect(
      unregistered(sources, 'reports', /export function render(?!Parts)\w+\([^)]*RenderOptions/),
      `these files have no line in src/reports/registry.ts; ${guide}`,
    ).toEqual([])
    const tests = filesIn('test/reports', /\.test\.ts$/)
      .map(read)
      .join('\n')
    expect(undocumented(names, docs), `no page of docs has these names in backticks; ${guide}`).toEqual([])
    expect(
      names.filter((name) => !new RegExp(`\\b${name}\\b`).test(tests)),
      `no test in test/reports names these formats; ${guide}`,
    ).toEqual([])
  })
})

describe('the files of the project', () => {
  it('have no mark of a merge that was not finished', () => {
    const kinds = /\.(?:[cm]?[jt]sx?|css|html|json|md|ya?ml|sh|py)$|\/run$/
    const folders = ['.ci', 'docs', 'fixtures', 'scripts', 'src', 'strategies', 'tasks', 'test']
    const beside = readdirSync(root).filter((name) => /\.(?:json|md|ts)$/.test(name))
    const paths = [...beside, ...folders.flatMap((folder) => filesIn(folder, kinds))]
    expect(paths.length).toBeGreaterThan(1500)
    expect(paths.filter((path) => hasConflictMark(read(path)))).toEqual([])
  })

  it('have such a mark if any line of them is one', () => {
    const marks = ['<', '>', '|', '='].map((sign) => sign.repeat(7))
    for (const mark of marks) {
      expect(hasConflictMark(`a\n${mark}\nb`)).toBe(true)
      expect(hasConflictMark(`a\r\n${mark}\r\nb`)).toBe(true)
      expect(hasConflictMark(`${mark} main\n`)).toBe(true)
      expect(hasConflictMark(`a ${mark}\n${mark}${mark}\n// ${mark} main\n`)).toBe(false)
    }
  })
})

/** Whether a line is a mark by which git shows two sides of a conflict. */
const hasConflictMark = (text: string) => /^(?:<{7}|>{7}|\|{7}|={7})(?: .*)?\r?$/m.test(text)

describe('docs/design.md', () => {
  it('has no sentence over three lines', () => {
    const prose = read('docs/design.md').replace(/```[\s\S]*?```|^\|.*$/gm, '')
    const sentences = prose
      .split(/\n\s*\n|\n(?=- )/)
      .flatMap((text) => text.replaceAll('\n', ' ').split(/(?<=[.!?:]\**) /))
    expect(sentences.length).toBeGreaterThan(200)
    expect(sentences.filter((sentence) => sentence.length > 3 * 110)).toEqual([])
  })

  it('names only files that exist', () => {
    const all = ['src', 'strategies', 'test', 'scripts', 'docs'].flatMap((folder) => filesIn(folder, /./))
    const named = [...read('docs/design.md').matchAll(/`([\w./-]+\.(?:[cm]?[jt]s|py|sh))`/g)].map(
      ([, name]) => name,
    )
    expect(named.length).toBeGreaterThan(30)
    expect(named.filter((name) => !all.some((path) => `/${path}`.endsWith(`/${name}`)))).toEqual([])
  })
})
