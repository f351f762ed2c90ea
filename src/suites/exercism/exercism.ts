import { basename } from 'node:path'
import { type Problem, UserError } from '../../text/errors.ts'
import type { Importer, SuiteItem } from '../suite.ts'
import { readExercise } from './exercise.ts'
import { toTask } from './to-task.ts'
import { findTrack } from './track.ts'

/** Some references compute for more than a minute on a slow machine; s. */
const defaultTimeout = 300

/** Exercism's tracks of JavaScript, TypeScript and Python: stubs to edit, graded by the exercise's own tests. */
export const exercism: Importer = {
  name: 'exercism',
  summary: 'a track of Exercism (JavaScript, TypeScript, Python), or one exercise',
  recognises: (sample) =>
    sample.kind === 'folder' &&
    sample.paths.some((path) => path === 'exercises/practice/' || /(?:^|\/)\.meta\/config\.json$/.test(path))
      ? 'certain'
      : undefined,
  parameters: {
    deprecated: 'yes: with the exercises that the track no longer offers',
    timeout: `how long the tests of an exercise may run, in seconds; default: ${defaultTimeout}`,
  },
  async *read({ path, parameters }): AsyncGenerator<SuiteItem> {
    const timeoutMs = readTimeout(parameters.timeout) * 1000
    const track = findTrack(path)
    const isDeprecated = (folder: string) => track.listed.get(basename(folder))?.status === 'deprecated'
    const all = parameters.deprecated === 'yes' || track.folders.length === 1
    const folders = track.folders.filter((folder) => all || !isDeprecated(folder))
    const left = track.folders.length - folders.length
    if (left > 0)
      yield {
        note: `${path}: leaves out ${left} deprecated ${left === 1 ? 'exercise' : 'exercises'}; add ?deprecated=yes to read them too`,
      }
    for (const folder of folders) {
      const problems: Problem[] = []
      const exercise = readExercise(folder, track.language, problems)
      const task = exercise && toTask(exercise, track, timeoutMs, problems)
      yield task ? { task } : { problems }
    }
  },
}

function readTimeout(text = `${defaultTimeout}`): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text)
  throw new UserError({
    where: `timeout=${text}`,
    what: 'is not a number of seconds',
    fix: 'Write a whole number from 1 to 9999, such as ?timeout=60.',
  })
}
