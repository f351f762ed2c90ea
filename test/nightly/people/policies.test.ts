import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { run } from '../../../src/api.ts'
import { liveArgs, runAsker, writeAsker } from '../../helpers/fanout/asking-strategy.ts'
import { bench, recordsOf, refused, stepsOf } from '../../helpers/runs/cli.ts'

it('--approve file:PATH gives the nth approval of each trial the nth answer; then the trial waits', async () => {
  const asker = writeAsker('[rounds=3]', ['--approve', 'file:answers.txt', '--epochs', '2'])
  const { cwd, folder } = asker
  const answers = join(cwd, 'answers.txt')
  writeFileSync(answers, '# of both trials\n\nfeedback: Shorter.\r\nYes\n')
  expect(await runAsker(asker, asker.args)).toMatchObject({ code: 4 })
  // The run has the answers; the file is not read again.
  rmSync(answers)
  expect(await runAsker(asker, ['--resume', folder])).toMatchObject({ code: 4 })
  expect(stepsOf(folder).filter(({ kind }) => kind === 'approval')).toHaveLength(4)
  writeFileSync(answers, 'yes\nyes\nFeedback:Longer.\n')
  expect(await runAsker(asker, ['--resume', folder, '--approve', 'file:answers.txt'])).toMatchObject({
    code: 0,
  })
  for (const record of recordsOf(folder))
    expect(record).toMatchObject({
      people: { approvals: 3, guidance: 0, sets: 0 },
      state: { said: ['feedback:Shorter.', 'approved:', 'feedback:Longer.'] },
    })
})

it('a file of answers that never ends, or waits for a writer, is refused at once', async () => {
  const { args, cwd } = writeAsker()
  execFileSync('mkfifo', [join(cwd, 'pipe')])
  await refused([...args, '--approve', 'file:pipe'], ['[--approve file:pipe]', 'is a pipe, not a file'], {
    cwd,
  })
  await refused([...args, '--approve', 'file:/dev/zero'], ['has more than 16 MB'], { cwd })
  await refused([...args, '--approve', 'file:.'], ['is a folder, not a file'], { cwd })
})

it('an unknown policy is refused on the command line, in the config file and in a request', async () => {
  const { args, cwd, folder } = writeAsker()
  await refused([...args, '--approve', 'maybe'], ['[--approve maybe] is not a policy', 'park, file:PATH'], {
    cwd,
  })
  writeFileSync(join(cwd, 'bench.config.yaml'), 'run:\n  approve: maybe\n')
  await refused(args, [/bench\.config\.yaml:2.*must be ask, yes, abort, park or file:PATH/], { cwd })
  writeFileSync(join(cwd, 'bench.config.yaml'), 'run:\n  approve: park\n')
  expect(await bench(args, { cwd })).toMatchObject({ code: 4 })
  for (const approve of ['ask', 'maybe', 'file:', 3])
    await expect(
      run({ tasks: 'ferry-morning', out: `${folder}2`, approve: approve as 'yes' }),
    ).rejects.toThrow("must be 'yes', 'abort', 'park' or 'file:PATH'")
})

it('a live run in which nobody can be asked says before its first trial that approvals are answered yes', async () => {
  const asker = writeAsker('', liveArgs)
  const note = 'can ask a person, and every approval is answered yes'
  expect((await runAsker(asker, asker.args)).stderr).toContain(note)
  const chosen = writeAsker('', [...liveArgs, '--approve', 'yes'])
  expect((await runAsker(chosen, chosen.args)).stderr).not.toContain(note)
})
