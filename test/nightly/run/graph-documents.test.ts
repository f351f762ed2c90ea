import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { folderOf } from '../../helpers/machine/temp.ts'
import { bench, benchOk, recordLines, recordsOf, root } from '../../helpers/runs/cli.ts'
import { startModelServer } from '../../model-server/server.ts'

const guide = readFileSync(join(root, 'docs/guides/graphs.md'), 'utf8')
const blocks = (language: string) =>
  [...guide.matchAll(/```(\w*)(?: \S+)?\n([\s\S]*?)```/g)].flatMap(([, of, text = '']) =>
    of === language ? [text] : [],
  )
const [idea = '', providers = ''] = blocks('yaml')
const commands = blocks('sh').flatMap((text) => text.trim().split('\n'))

it('the guide’s document and commands do what the guide says, up to real agents', async () => {
  const server = await startModelServer([{ text: 'Answer: 42', always: true }])
  onTestFinished(() => server.close())
  const cwd = folderOf({ 'idea.yaml': idea })
  const said = new Map<string, string>()
  for (const command of commands.filter((line) => !line.includes('-cli:'))) {
    // Simulated work on code takes long, and shows nothing more here.
    const [, ...args] = command.replace('--tasks code', '--tasks lamp-paths').split(' ')
    if (args.includes('live'))
      writeFileSync(join(cwd, 'idea.yaml'), idea + providers.replace('http://127.0.0.1:8080', server.url))
    const [{ trial = '' } = {}] = args.includes('TRIAL') ? recordsOf(join(cwd, 'first')) : []
    const words = args.map((word) => (word === 'TRIAL' ? trial : word))
    said.set(command, await benchOk(words, { cwd }))
  }
  expect(commands.length).toBeGreaterThan(10)
  expect(said.get('bench methods dag')).toContain('planner_executor')
  expect(said.get('bench plan idea.yaml')).toContain('5 steps on 4 levels')
  expect(said.get('bench replay first')).toContain('no divergence')
  expect(server.asked()).toBe(5)
})

it('a document that ran is needed no more: resume and replay read the plan of the run', async () => {
  const cwd = folderOf({ 'idea.yaml': idea })
  const plan = ['--tasks', 'lamp-paths', '--methods', 'dag:./idea.yaml,dag:composition,dag:hierarchical']
  await benchOk([...plan, '--out', 'whole'], { cwd })
  expect((await bench([...plan, '--out', 'parts', '--max-calls', '9'], { cwd })).code).toBe(3)
  writeFileSync(join(cwd, 'idea.yaml'), idea.replace('Solve the task.', 'Solve it.'))
  await benchOk(['run', '--resume', 'parts', '--max-calls', 'none'], { cwd })
  expect(recordLines(join(cwd, 'parts'))).toEqual(recordLines(join(cwd, 'whole')))
  await benchOk([...plan, '--out', 'changed'], { cwd })
  const ids = (run: string) => recordsOf(join(cwd, run)).map(({ trial }) => trial)
  expect(ids('changed').filter((id) => ids('whole').includes(id))).toHaveLength(2)
})
