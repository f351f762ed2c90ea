import { type Texts, writeTexts } from '../../suites/native-texts.ts'
import { tableOf } from '../house/tables.ts'

/** An exercise in the layout of a track. */
export interface ExerciseTexts {
  slug: string
  /** Entries of the track's `config.json`. */
  listed?: Record<string, unknown>
  /** Files by path; those of `.meta` and `.docs` too. */
  files: Texts
}

const language = { javascript: 'JavaScript', typescript: 'TypeScript', python: 'Python', go: 'Go' }

/** Writes a track of Exercism: its `config.json` and its practice exercises. */
export function writeTrack(
  folder: string,
  slug: keyof typeof language,
  exercises: readonly ExerciseTexts[],
): void {
  const practice = exercises.map(({ slug, listed }) => ({
    slug,
    name: slug.toUpperCase(),
    difficulty: 1,
    ...listed,
  }))
  writeTexts(folder, '.', {
    'config.json': JSON.stringify({ language: language[slug], slug, exercises: { practice } }),
  })
  for (const { slug, files } of exercises) writeTexts(folder, `exercises/practice/${slug}`, files)
}

/** An exercise of JavaScript: two functions, a live test and three others. */
export const gates: ExerciseTexts = tableOf(import.meta.url, 'gates')

/** An exercise of TypeScript with an enum, whose \`.meta/config.json\` lacks a comma. */
export const lamp: ExerciseTexts = tableOf(import.meta.url, 'lamp')

/** An exercise of Python with a class, an exception of its own, and a skipped test. */
export const till: ExerciseTexts = tableOf(import.meta.url, 'till')
