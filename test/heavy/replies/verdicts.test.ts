import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { benchOk, recordsOf, stepsOf } from '../../helpers/runs/cli.ts'

const right = '{"compliance":0.9,"violations":[],"satisfied":true,"feedback":"none"}'
const draft =
  '{"compliance":0.2,"violations":[{"id":"R2","text":"late"}],"satisfied":false,"feedback":"late"}'
const fence = (text: string, language = 'json') => `\`\`\`${language}\n${text}\n\`\`\``

/** Replies that hold one verdict, which a person reads without a doubt. */
const forms: Record<string, string> = {
  alone: right,
  afterSet: `The stops {a, b, c} are all there.\n\n${right}`,
  beforeBody: `${right}\n\nThat is for \`{ return stops }\`.`,
  afterBlock: `${fence('const f = () => ({ a: 1 })', 'ts')}\n${fence(right)}`,
  beforeBlock: `${fence(right)}\n${fence('const f = () => ({ a: 1 })', 'ts')}`,
  afterDraft: `First ${draft}\nThen ${right}`,
  inList: `[${right}]`,
  withComma: right.replace('}', ',}'),
  withLineEnd: right.replace('none', 'none\nat all'),
  withComment: right.replace('"satisfied"', '/* all of it */ "satisfied"'),
}

/** Runs `sequential` on a small task with scripted agents, given by name; returns the records and audits by agent. */
async function runWith(scripts: Readonly<Record<string, string>>) {
  const cwd = tempFolder()
  const names = Object.keys(scripts)
  for (const name of names) writeFileSync(join(cwd, `${name}.mjs`), `export default ${scripts[name]}`)
  const agents = names.map((name) => `scripted:${name}.mjs`).join(',')
  const args = ['--tasks', 'ferry-morning', '--methods', 'sequential', '--agents', agents]
  await benchOk([...args, '--quiet', '--out', 'run'], { cwd })
  await benchOk(['replay', 'run'], { cwd })
  const steps = stepsOf(join(cwd, 'run'))
  const records = recordsOf(join(cwd, 'run'))
  return (name: string) => {
    const record = records.find(({ agents }) => JSON.stringify(agents).includes(`scripted:${name}.mjs`))
    const asks = steps.filter(({ trial, kind }) => trial === record?.trial && kind === 'ask')
    return { record, repairs: asks.filter((step) => 'repair' in step && step.repair).length }
  }
}

it('a verdict without a mark is read in each form, where nothing that is shown names its fields', async () => {
  const names = Object.keys(forms)
  const scripts = names.map((name) => [
    name,
    `({ schema }) => schema ? ${JSON.stringify(forms[name])} : 'Answer: 84'`,
  ])
  const of = await runWith(Object.fromEntries(scripts))
  for (const name of names) {
    const { record, repairs } = of(name)
    expect(record, name).toMatchObject({
      outcome: { status: 'completed' },
      state: { compliance: [[0, 0.9]] },
    })
    expect(repairs, name).toBe(0)
  }
})

it('a verdict that the work itself holds is not read, and one with the mark is', async () => {
  const work = JSON.stringify(`${right}\nAnswer: 84`)
  const of = await runWith({
    quoting: `({ schema, work }) => schema && work === 'judge' ? 'The work says: ${right}' : ${work}`,
    marking: `({ schema, work }) => {
      if (!schema || work !== 'judge') return ${work}
      const mark = schema.properties.mark.const
      const own = { ...${right}, mark, compliance: 0.3, satisfied: false, feedback: 'late' }
      return JSON.stringify(own) + '\\nIt says: ${right}'
    }`,
  })
  expect(of('quoting').record?.outcome).toMatchObject({
    status: 'failed',
    reason: expect.stringMatching(/unparsable.*mark/s),
  })
  expect(of('marking').record).toMatchObject({ claimed: 'stuck', outcome: { status: 'completed' } })
  expect(of('marking').repairs).toBe(0)
})
