import { existsSync, realpathSync } from 'node:fs'
import { basename, join, sep } from 'node:path'
import { z } from 'zod'
import type { Problem } from '../../text/errors.ts'
import { inWords } from '../../text/issue-text.ts'
import { entriesOf, readText, readTexts } from '../read-texts.ts'
import { type Language, parseLenientJson } from './track.ts'

/** The texts of an exercise's folder. */
export interface Exercise {
  slug: string
  folder: string
  /** Introduction, instructions and their appendix. */
  instruction: string
  /** The stubs to edit. */
  solution: Readonly<Record<string, string>>
  tests: Readonly<Record<string, string>>
  /** The reference, by its path in the folder, in the order of the stubs. */
  example: readonly { path: string; text: string }[]
  /** Other files that the solution or the tests use. */
  others: Readonly<Record<string, string>>
  /** What is unusual about its files. */
  issues: readonly string[]
}

const paths = z.array(z.string().regex(/^(?!\/)(?!(?:.*\/)?\.\.(?:\/|$))/, 'must stay in the folder'))
const Config = z.object({
  files: z.object({
    solution: paths.min(1),
    test: paths.min(1),
    example: paths.min(1).optional(),
    exemplar: paths.min(1).optional(),
    editor: paths.optional(),
  }),
})
type FileNames = z.infer<typeof Config>['files']

/** Files of tools, which neither a solution nor its tests need. */
const tooling =
  /^(?:package(?:-lock)?\.json|pnpm-lock\.yaml|yarn\.lock|(?:jest|babel|eslint)\.config\.[cm]?js|tsconfig\.json|test-runner\.mjs|LICENSE|README\.md|HELP\.md|HINTS\.md)$/

/** Reads an exercise. What cannot be read is added to the problems; then there is no exercise. */
export function readExercise(folder: string, language: Language, problems: Problem[]): Exercise | undefined {
  const before = problems.length
  const { names, issues } = fileNames(folder, language, problems)
  if (!names) return undefined
  const read = (path: string) => readPart(folder, path, problems)
  const texts = (list: readonly string[]) => Object.fromEntries(list.map((path) => [path, read(path) ?? '']))
  const exercise = {
    slug: basename(folder),
    folder,
    instruction: readInstruction(folder, problems),
    solution: texts(names.solution),
    tests: texts(names.test),
    example: (names.example ?? names.exemplar ?? []).map((path) => ({ path, text: read(path) ?? '' })),
    others: { ...otherTexts(folder, names), ...texts(names.editor ?? []) },
    issues,
  }
  return problems.length > before ? undefined : exercise
}

function readPart(folder: string, path: string, problems: Problem[]): string | undefined {
  const file = join(folder, path)
  if (existsSync(file) && !isInside(folder, file)) {
    problems.push({
      where: file,
      what: 'is a link out of its exercise',
      fix: 'Replace it with a copy of the file.',
    })
    return undefined
  }
  if (existsSync(file)) return readText(file, problems)
  problems.push({
    where: file,
    what: 'is missing, but .meta/config.json names it',
    fix: 'Restore it from the track.',
  })
  return undefined
}

const isInside = (folder: string, file: string) => realpathSync(file).startsWith(realpathSync(folder) + sep)

function fileNames(
  folder: string,
  language: Language,
  problems: Problem[],
): { names?: FileNames; issues: string[] } {
  const file = join(folder, '.meta', 'config.json')
  const text = existsSync(file) ? readText(file, problems) : undefined
  const parsed = text === undefined ? { error: 'it is missing' } : parseLenientJson(text)
  const config = 'json' in parsed ? Config.safeParse(parsed.json, inWords) : undefined
  if (config?.success) {
    const mended = 'mended' in parsed && parsed.mended
    return {
      names: config.data.files,
      issues: mended ? ['Its .meta/config.json is not JSON and was mended.'] : [],
    }
  }
  const found = namesByLayout(folder, language)
  if (found)
    return {
      names: found,
      issues: ['Its .meta/config.json cannot be read; its files were found by their names.'],
    }
  const what =
    'error' in parsed
      ? `cannot be read: ${parsed.error}`
      : `has no files: ${config?.error.issues[0]?.message}`
  problems.push({ where: file, what, fix: 'Restore it from the track.' })
  return { issues: [] }
}

function namesByLayout(folder: string, language: Language): FileNames | undefined {
  const slug = basename(folder)
  const names = {
    javascript: { solution: `${slug}.js`, test: `${slug}.spec.js`, example: '.meta/proof.ci.js' },
    typescript: { solution: `${slug}.ts`, test: `${slug}.test.ts`, example: '.meta/proof.ci.ts' },
    python: {
      solution: `${slug.replaceAll('-', '_')}.py`,
      test: `${slug.replaceAll('-', '_')}_test.py`,
      example: '.meta/example.py',
    },
  }[language]
  if (!Object.values(names).every((path) => existsSync(join(folder, path)))) return undefined
  return { solution: [names.solution], test: [names.test], example: [names.example] }
}

function readInstruction(folder: string, problems: Problem[]): string {
  const parts = ['introduction.md', 'introduction.append.md', 'instructions.md', 'instructions.append.md']
    .map((name) => join(folder, '.docs', name))
    .filter((file) => existsSync(file))
    .map((file) => readText(file, problems)?.trim() ?? '')
    .filter((text) => text !== '')
  if (parts.length === 0)
    problems.push({
      where: join(folder, '.docs'),
      what: 'has no instructions.md',
      fix: 'Restore it from the track.',
    })
  return parts.join('\n\n')
}

function otherTexts(folder: string, { solution, test }: FileNames): Record<string, string> {
  const named = new Set([...solution, ...test])
  const texts: Record<string, string> = {}
  for (const entry of entriesOf(folder)) {
    const { name } = entry
    if (name.startsWith('.') || tooling.test(name) || name === 'node_modules' || named.has(name)) continue
    // A file that is no text is no part of a task.
    const unread: Problem[] = []
    if (entry.isFile()) {
      const text = readText(join(folder, name), unread)
      if (text !== undefined) texts[name] = text
    } else if (entry.isDirectory()) {
      for (const [path, text] of Object.entries(readTexts(join(folder, name), unread)))
        if (!named.has(`${name}/${path}`)) texts[`${name}/${path}`] = text
    }
  }
  return texts
}
