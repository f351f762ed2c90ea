import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { jsonrepair } from 'jsonrepair'
import { z } from 'zod'
import { UserError } from '../../text/errors.ts'
import { inWords } from '../../text/issue-text.ts'
import { entriesOf } from '../read-texts.ts'

/** The languages whose tracks can be read. */
const languages = ['javascript', 'typescript', 'python'] as const
export type Language = (typeof languages)[number]

const Listed = z.object({
  slug: z.string(),
  name: z.string().optional(),
  difficulty: z.number().min(1).max(10).optional(),
  topics: z.array(z.string()).nullish(),
  practices: z.array(z.string()).nullish(),
  status: z.string().optional(),
})
/** What a track's `config.json` says about an exercise. */
type Listed = z.infer<typeof Listed>

const TrackConfig = z.object({
  language: z.string(),
  slug: z.string().optional(),
  exercises: z.object({ practice: z.array(Listed) }),
})

/** The exercises that a path names. */
export interface Track {
  language: Language
  /** The exercises' folders, by name. */
  folders: readonly string[]
  /** By slug; empty where there is no `config.json` of a track. */
  listed: ReadonlyMap<string, Listed>
  /** The commit of the track, where its folder is a clone. */
  commit?: string
}

const practice = join('exercises', 'practice')

/**
 * Finds the exercises of a track's folder, of its folder `exercises/practice`, or one exercise. Throws `UserError` if the path is
 * none of these, or the track is of another language.
 */
export function findTrack(path: string): Track {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw new UserError({ where: path, what: existsSync(path) ? 'is not a folder' : 'does not exist', fix })
  const folders = exerciseFolders(path)
  if (folders.length === 0) throw new UserError({ where: path, what: 'has no exercise of Exercism', fix })
  const root = trackRoot(path)
  const config = root === undefined ? undefined : readTrackConfig(join(root, 'config.json'))
  const language = config ? knownLanguage(config.language, root as string) : languageOf(folders[0] as string)
  const commit = root === undefined ? undefined : commitOf(root)
  return {
    language,
    folders,
    listed: new Map(config?.exercises.practice.map((exercise) => [exercise.slug, exercise])),
    ...(commit !== undefined && { commit }),
  }
}

const fix =
  'Give the folder of a track, its folder exercises/practice, or one exercise, from github.com/exercism/javascript, /typescript or /python.'

const isExercise = (folder: string) => existsSync(join(folder, '.meta')) && existsSync(join(folder, '.docs'))

function exerciseFolders(path: string): string[] {
  if (isExercise(path)) return [path]
  for (const folder of [join(path, practice), join(path, 'practice'), path]) {
    const found = entriesOf(folder)
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => join(folder, name))
      .filter(isExercise)
    if (found.length > 0) return found
  }
  return []
}

function trackRoot(path: string): string | undefined {
  let folder = path
  for (let level = 0; level <= 3; level++) {
    if (existsSync(join(folder, 'config.json')) && existsSync(join(folder, practice))) return folder
    folder = dirname(folder)
  }
  return undefined
}

function readTrackConfig(file: string): z.infer<typeof TrackConfig> {
  const parsed = parseLenientJson(readFileSync(file, 'utf8'))
  const config = TrackConfig.safeParse('json' in parsed ? parsed.json : undefined, inWords)
  if (config.success) return config.data
  const what = 'json' in parsed ? 'is not the config.json of a track' : `is not JSON: ${parsed.error}`
  throw new UserError({ where: file, what, fix: 'Restore the file from the track.' })
}

function knownLanguage(name: string, where: string): Language {
  const known = languages.find((language) => language === name.toLowerCase())
  if (known) return known
  throw new UserError({
    where,
    what: `is the track of ${name}, whose tests cannot run here`,
    fix: `Use one of ${languages.join(', ')}.`,
  })
}

function languageOf(folder: string): Language {
  const names = entriesOf(folder).map(({ name }) => name)
  const has = (pattern: RegExp) => names.some((name) => pattern.test(name))
  if (has(/\.test\.ts$/)) return 'typescript'
  if (has(/\.(?:spec|test)\.js$/)) return 'javascript'
  if (has(/_test\.py$/)) return 'python'
  throw new UserError({
    where: folder,
    what: 'has no tests of JavaScript, TypeScript or Python',
    fix: `Its tests are ${basename(folder)}.spec.js, .test.ts or _test.py.`,
  })
}

function commitOf(root: string): string | undefined {
  try {
    const head = readFileSync(join(root, '.git', 'HEAD'), 'utf8').trim()
    if (!head.startsWith('ref: ')) return isCommit(head) ? head : undefined
    const ref = head.slice('ref: '.length)
    const loose = join(root, '.git', ref)
    const packed = () =>
      readFileSync(join(root, '.git', 'packed-refs'), 'utf8')
        .split('\n')
        .find((line) => line.endsWith(` ${ref}`))
        ?.split(' ')[0]
    const commit = existsSync(loose) ? readFileSync(loose, 'utf8').trim() : packed()
    return isCommit(commit) ? commit : undefined
  } catch {
    return undefined
  }
}

const isCommit = (text: string | undefined) => text !== undefined && /^[0-9a-f]{40,64}$/.test(text)

type LenientJson = { json: unknown; mended: boolean } | { error: string }

/** Parses JSON, also with a missing or trailing comma or with comments, which some published files have. */
export function parseLenientJson(text: string): LenientJson {
  try {
    return { json: JSON.parse(text.replace(/^\uFEFF/, '')), mended: false }
  } catch (error) {
    try {
      return { json: JSON.parse(jsonrepair(text)), mended: true }
    } catch {
      return { error: (error as Error).message }
    }
  }
}
