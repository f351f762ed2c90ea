import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { readManifest } from '../loop/record/run-folder.ts'
import { counted } from '../reports/words/numbers.ts'
import { UserError } from '../text/errors.ts'
import { runState, stateText } from './runs/run-state.ts'
import { print } from './terminal/say.ts'

/** Returns the run folders right in a folder, without links. Throws `UserError` if there is no folder, or if it is itself a run. */
export function findRuns(folder: string): string[] {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new UserError({
      where: folder,
      what: existsSync(folder) ? 'is not a folder' : 'does not exist',
      fix: 'Start a run with bench run, or name the folder that holds your runs.',
    })
  const found = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(folder, entry.name, 'run.json')))
    .map(({ name }) => join(folder, name))
  if (found.length === 0 && existsSync(join(folder, 'run.json')))
    throw new UserError({
      where: folder,
      what: 'is itself a run folder',
      fix: `Show it with bench show ${folder}, or list all runs beside it with bench runs ${dirname(resolve(folder))}`,
    })
  return found
}

/** `bench runs [folder]`: lists the run folders in a folder, by name, and how far each is. Throws `UserError` if the folder is itself a run. */
export default async function runs(folder: string, options: { json?: boolean }): Promise<number> {
  const found = findRuns(folder).map((path) => {
    try {
      const { createdAt, mode, methods, tasks, trials } = readManifest(path)
      return {
        run: path,
        createdAt,
        mode,
        methods: methods.map(({ label }) => label),
        tasks: tasks.length,
        trials,
        ...runState(path, { trials }),
      }
    } catch (error) {
      // One unreadable run does not hide the others.
      if (!(error instanceof UserError)) throw error
      return { run: path, problem: error.message }
    }
  })
  if (options.json) process.stdout.write(`${JSON.stringify(found, null, 2)}\n`)
  else if (found.length === 0) process.stdout.write(`no runs in ${folder}\n`)
  else
    for (const run of found)
      print(
        'problem' in run
          ? `${run.run}  ${run.problem}\n`
          : `${run.run}  ${run.mode}  ${run.recorded}/${run.trials} trials  ${stateText(run)}  ${run.methods.join(',')} on ${counted(run.tasks, 'task')}\n`,
      )
  return 0
}
