import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { chainOfTrial } from '../../helpers/chained/chained-with.ts'
import { asksOf, benchOk, recordsOf, root, stepsOf } from '../../helpers/runs/cli.ts'
import { type Client, families, programs, writing } from '../../live/clients.ts'
import {
  inOrder,
  liveArgs,
  liveSetting,
  logByTrial,
  patience,
  runLive,
  sumOf,
  tokensOf,
} from '../../live/live-run.ts'
import { methodsModel, toolMark } from '../../live/methods-model.ts'

const path = 'src/parse-duration.mjs'
const right = readFileSync(join(root, `tasks/code/duration-text/solution/${path}`), 'utf8')
const start = readFileSync(join(root, `tasks/code/duration-text/files/${path}`), 'utf8')

/** A model whose first work is wrong: the checks fail, and the builder is told. Its first verdict is bad, too. */
const modelFor = ({ shell }: Client) => {
  let works = 0
  return methodsModel(
    (_, { number }) => {
      const text = works++ === 0 ? `${start}// a draft\n` : right
      if (!shell) return { text: `FILE: ${path}\n\`\`\`js\n${text}\`\`\`\n` }
      return { text: 'I write it.', toolCalls: [shell(`${writing(path, text)}; echo ${toolMark(number)}`)] }
    },
    { revise: true },
  )
}

it.each<{ builder: Client; others: Client }>([
  { builder: programs[0], others: families[3] },
  { builder: families[0], others: programs[1] },
])(
  'chained mends what checks and reviewer find, and ships: $builder.agent builds, $others.agent does the rest',
  async ({ builder, others }) => {
    const model = modelFor(builder)
    const setting = await liveSetting(model.answer)
    const { folder } = setting
    const args = liveArgs(folder, others.agent, 'duration-text', 'chained')
    await runLive(setting, [...args, '--agent', `builder=${builder.agent}`, '--retries', '0'])
    const [record] = recordsOf(folder)
    if (!record) throw new Error('no record')
    expect(record).toMatchObject({ passed: true, claimed: 'done', fidelity: { status: 'kept' } })
    const { state, ends } = chainOfTrial({ record })
    expect(ends.map(({ stage, exit }) => `${stage} ${exit}`)).toEqual([
      ...['plan 0', 'build 0', 'test 1', 'build 0', 'test 0', 'review 1'],
      ...['build 0', 'test 0', 'review 0', 'document 0', 'ship 0'],
    ])
    expect(state.ship?.files).toEqual([path])

    const asks = asksOf(folder)
    expect(asks.map(({ role, agent }) => [role, agent.split('=').at(-1)])).toEqual(
      ['planner', 'builder', 'builder', 'reviewer', 'builder', 'reviewer', 'documenter'].map((role) => [
        role,
        role === 'builder' ? builder.agent : others.agent,
      ]),
    )
    const log = logByTrial(setting).get(record.trial) ?? []
    expect(inOrder(asks.map(tokensOf))).toEqual(inOrder(model.byAsk(log).map(sumOf)))
    const stages = stepsOf(folder).flatMap((step) => (step.kind === 'stage' ? step : []))
    expect(stages).toHaveLength(ends.length)
    for (const { durationMs } of stages) expect(durationMs).toBeGreaterThan(0)
    await benchOk(['replay', folder])
  },
  patience,
)
