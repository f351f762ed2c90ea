import { resumeCommand } from '../../loop/record/in-blocks.ts'
import { requestPause } from '../../loop/record/people.ts'
import { UserError } from '../../text/errors.ts'
import { openOwnRun } from '../open/open-run.ts'

/** `bench pause RUN`: a run in progress stops its trials at their next checkpoint, and can be resumed. */
export default async function pause(run: string): Promise<number> {
  const { folder } = openOwnRun(run, 'steered')
  if (!requestPause(folder))
    throw new UserError({
      where: folder,
      what: 'no bench is working on this run, so there is nothing to pause',
      fix: `To go on with it: ${resumeCommand(folder)}`,
    })
  process.stderr.write(
    `Each trial stops at its next checkpoint; a method without checkpoints ends its trial first. Calls in flight end normally.
When the run has stopped, resume it with: ${resumeCommand(folder)}
`,
  )
  return 0
}
