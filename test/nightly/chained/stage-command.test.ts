import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { benchOk, recordsOf, refused, stepsOf } from '../../helpers/runs/cli.ts'
import { stateIn } from '../../helpers/stages/chained.ts'
import { projectFiles, stageProject, textsIn } from '../../helpers/stages/stage-runs.ts'

it('bench stage runs one stage with agents, and writes its state and its files into the workflow alone', async () => {
  const { cwd, asked, scripted } = stageProject()
  const plan = await benchOk(['stage', 'plan', 'issue.md', 'w1', ...scripted, '-o', 'run'], { cwd })
  expect(plan).toBe(`stage plan: done, a plan of 1 line

planner says

state: .bench/w1/state.json
total: 1 call, 10 tokens in, 4 out, $0.500, simulated`)
  expect(stateIn(cwd, 'w1')).toMatchObject({ workflow_id: 'w1', issue: 'issue', task: 'Mend add.\n' })
  expect(stepsOf(join(cwd, 'run')).map(({ kind }) => kind)).toContain('stage')

  const built = await benchOk(['stage', 'build', 'issue.md', 'w1', ...scripted, '--json'], { cwd })
  const report = JSON.parse(built)
  expect(report).toMatchObject({
    ...{ workflow: 'w1', issue: 'issue', stage: 'build', exitCode: 0, broken: null, simulated: true },
    ...{ written: ['sum.mjs'], deleted: ['old.txt'], state: '.bench/w1/state.json' },
    status: { stage: 'build', status: 'done' },
    result: { answer: expect.stringContaining('Mended.') },
  })
  const [record] = recordsOf(join(cwd, report.run))
  expect(record).toMatchObject({ trial: report.trial, method: 'build', task: 'request/issue' })
  expect(readFileSync(join(cwd, '.bench/w1/workspace/sum.mjs'), 'utf8')).toContain('a + b')
  expect(existsSync(join(cwd, '.bench/w1/workspace/old.txt'))).toBe(false)
  expect(stateIn(cwd, 'w1').stages.map(({ stage, status }) => `${stage} ${status}`)).toEqual([
    'plan done',
    'build done',
  ])
  // The user's own files are as they were.
  expect(textsIn(cwd)).toMatchObject(projectFiles)
  expect(asked()).toEqual(['planner', 'builder'])
})

it('bench stage refuses wrong words, and then makes no workflow', async () => {
  const { cwd } = stageProject()
  const wrong: [string[], RegExp][] = [
    [
      ['plann', 'issue.md', 'w1'],
      /\[stage plann\] is unknown. Use one of plan, build, test, review, document, ship/,
    ],
    [['plan', 'issue.md', '../w1'], /the workflow id must be small letters/],
    [['plan', 'no/such', 'w1'], /"no\/such" is neither a file nor an id/],
    [
      ['plan', 'task-7', 'w1'],
      /the workflow has no task. Begin another one: give a text file as ISSUE, or add --request/,
    ],
    [['plan', 'task-7', 'w1', '--request', ' '], /\[--request\] is empty/],
    [['plan', 'issue.md', 'w1', '--request', 'x'], /issue.md is a file, so its text is the task/],
    [['plan', 'task-7', 'w1', '--request', 'x', '--resume', 'run'], /--request\] conflicts with --resume/],
    [['plan', 'issue.md', 'w1', '--agents', 'nobody'], /nobody/],
    [['plan', 'issue.md', 'w1', '--agent', 'auditor=simulated'], /no selected method has a role "auditor"/],
    [['plan', 'issue.md', 'w1', '--limit', 'calls=x'], /--limit calls=x/],
  ]
  for (const [args, message] of wrong) await refused(['stage', ...args], [message], { cwd })
  expect(Object.keys(textsIn(cwd)).filter((path) => path.startsWith('.bench/w1'))).toEqual([])
})
