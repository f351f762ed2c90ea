import { describe, expect, it } from 'vitest'
import { filesOf } from '../../../src/loop/branch/workspace.ts'
import { file, refusal, run, type Say } from '../../helpers/graph/run-graph-plan.ts'
import { judgeStep, planOf, planStep, workOf } from '../../helpers/runs/graph-plans.ts'
import { answerTask } from '../../helpers/runs/trial.ts'

describe('a referee', () => {
  const plan = (change: object = {}, seed = 0) =>
    planOf(
      [
        planStep('p::R::anna::work', [], change),
        planStep('p::R::bert::work', [], change),
        judgeStep('p::R::referee', ['p::R::anna::work', 'p::R::bert::work'], {
          conflict: 'last',
          does: {
            kind: 'choose',
            candidates: { anna: 'p::R::anna::work', bert: 'p::R::bert::work' },
          },
        }),
      ],
      { seed },
    )
  const task = answerTask({ output: 'files', editable: ['**'] }, { 'x.txt': 'X\n' })
  const letters = (prompt: string) => /## candidate A[\s\S]*?by (anna|bert)/.exec(prompt)?.[1]
  const say =
    (wanted: string): Say =>
    (id, { prompt }) => {
      const by = /p::R::(anna|bert)/.exec(id)?.[1]
      if (by) return file('x.txt', `by ${by}`)
      return JSON.stringify({ winner: letters(prompt) === wanted ? 'A' : 'B', reason: 'It is better.' })
    }

  it.each(['anna', 'bert'])(
    'takes over the files and the reply of the candidate that it names: %s',
    async (wanted) => {
      const { record, graph, promptOf, branch } = await run(plan(), say(wanted), { task })
      expect(record).toMatchObject({ claimed: 'done' })
      expect(filesOf(branch.state)['x.txt']).toContain(`by ${wanted}`)
      expect(branch.state.answer).toContain(`Answer: by ${wanted}`)
      expect(graph?.choices['p::R::referee']).toMatchObject({ winner: wanted, reason: 'It is better.' })
      const prompt = promptOf('p::R::referee')
      expect(prompt).toContain('## candidate A')
      expect(prompt).not.toContain('reply of')
      expect(prompt).not.toContain('## files')
    },
  )

  it('reads the candidates in an order that the seed decides', async () => {
    const orders = new Set<string>()
    for (let seed = 0; seed < 8; seed++) {
      const { graph } = await run(plan({}, seed), say('anna'), { task })
      orders.add(graph?.choices['p::R::referee']?.order.join() ?? '')
    }
    expect(orders).toEqual(new Set(['anna,bert', 'bert,anna']))
  })

  it('is not asked where one candidate alone has ended', async () => {
    const bertFails: Say = (id, request) => (id.includes('bert') ? refusal : say('bert')(id, request))
    const { asks, graph, branch } = await run(plan({ on_failure: 'continue' }), bertFails, { task })
    expect(asks.map(({ role }) => role)).toEqual(['solver', 'solver'])
    expect(graph?.choices['p::R::referee']?.winner).toBe('anna')
    expect(filesOf(branch.state)['x.txt']).toContain('by anna')
  })
})

describe('a referee of candidates that plan their work at run time', () => {
  it('takes over the files of all parts of the winner', async () => {
    const planner = (name: string) =>
      judgeStep(`p::R.${name}::plan`, [], {
        does: {
          ...{ kind: 'plan', prefix: `p::R.${name}::execute::`, max: 3, order: 'concurrent' },
          ...{ executor: workOf({ prompt: 'Do your part.' }), before: ['p::R::referee'] },
        },
      })
    const plan = planOf([
      planner('anna'),
      planner('bert'),
      judgeStep('p::R::referee', ['p::R.anna::plan', 'p::R.bert::plan'], {
        conflict: 'last',
        does: { kind: 'choose', candidates: { anna: 'p::R.anna::plan', bert: 'p::R.bert::plan' } },
      }),
    ])
    const task = answerTask({ output: 'files', editable: ['**'] }, { 'x.txt': 'X\n', 'y.txt': 'Y\n' })
    const { branch, record } = await run(
      plan,
      (id, { prompt }) => {
        const [, name = '', place] = /p::R\.(\w+)::execute::0(\d)/.exec(id) ?? []
        if (place) return file(place === '1' ? 'x.txt' : 'y.txt', `by ${name}`)
        if (id.endsWith('plan')) return JSON.stringify({ steps: ['one', 'two'] })
        const isFirst = /## candidate A[\s\S]*?by (anna|bert)/.exec(prompt)?.[1] === 'anna'
        return JSON.stringify({ winner: isFirst ? 'A' : 'B', reason: '' })
      },
      { task },
    )
    expect(record.claimed, record.detail ?? '').toBe('done')
    expect(filesOf(branch.state)).toMatchObject({ 'x.txt': 'by anna\n', 'y.txt': 'by anna\n' })
  })
})
