import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { folderOf, tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { bench, benchOk, recordLines, recordsOf, refused, startBench, until } from '../../helpers/runs/cli.ts'

const rows = Array.from(
  { length: 60 },
  (_, i) => `k${i},What is ${i} plus 7?,${i + 7},${i % 2 ? 'odd' : 'even'},0.${10 + i}`,
)
const selection = ['--tasks', 'csv:q.csv?tags=kind&difficulty=level']
const filter = ['--tag', 'odd', '--where', 'difficulty>=0.3', '--sample', '12', '--seed', '3']
const methods = ['--methods', 'baseline,retry']

function folderWithTable(): string {
  const cwd = folderOf({ 'q.csv': ['id,question,answer,kind,level', ...rows, ''].join('\n') })
  return cwd
}

const drawnTasks = async (cwd: string): Promise<string[]> =>
  JSON.parse(await benchOk(['tasks', ...selection.slice(1), ...filter, '--json'], { cwd }))
    .map(({ ref }: { ref: string }) => ref)
    .sort()

it('a run of filtered tasks that was killed goes on with the tasks that it drew, from any folder', async () => {
  const cwd = folderWithTable()
  const out = join(cwd, 'run')
  const { kill, ended } = startBench(argv`run ${selection} ${filter} ${methods} --epochs 20 --out ${out}`, {
    cwd,
  })
  await until(() => recordLines(out).length >= 20)
  kill('SIGKILL')
  await ended
  expect(recordLines(out).length).toBeLessThan(480)
  // A new row would change the sample of a new run.
  appendFileSync(join(cwd, 'q.csv'), 'k99,What is 99 plus 7?,106,odd,0.9\n')
  await benchOk(['run', '--resume', out], { cwd: tempFolder() })
  const tasks = recordsOf(out).map(({ task }) => task)
  expect(tasks).toHaveLength(480)
  writeFileSync(join(cwd, 'q.csv'), readFileSync(join(cwd, 'q.csv'), 'utf8').replace(/^k99.*\n/m, ''))
  expect([...new Set(tasks)].sort()).toEqual(await drawnTasks(cwd))
})

it('a filtered run whose task was changed is not resumed', async () => {
  const cwd = folderWithTable()
  await bench(['run', ...selection, ...filter, ...methods, '--max-calls', '1', '--out', 'run'], { cwd })
  const [name = ''] = (await drawnTasks(cwd)).map((ref) => ref.split('/')[1])
  const table = readFileSync(join(cwd, 'q.csv'), 'utf8')
  writeFileSync(join(cwd, 'q.csv'), table.replace(`\n${name},What`, `\n${name},So what`))
  await refused(['run', '--resume', 'run', '--max-calls', 'none'], [`task q/${name} has changed`], { cwd })
})

it('power, proof and estimate take the tasks that a run would take', async () => {
  const cwd = folderWithTable()
  const power = await benchOk(['power', '--quiet', ...selection, ...filter, ...methods], { cwd })
  expect(power).toContain('The 12 tasks of the pilot')
  const proofs = JSON.parse(
    await benchOk(['tasks', 'check', ...selection.slice(1), ...filter, '--quick', '--json'], { cwd }),
  )
  expect(proofs.map(({ task }: { task: string }) => task)).toEqual(await drawnTasks(cwd))
  const estimate = await benchOk(['run', ...selection, ...filter, ...methods, '--dry-run', '--json'], { cwd })
  expect(JSON.parse(estimate).methods).toMatchObject([{ trials: 12 }, { trials: 12 }])
  await refused(argv`power ${selection} ${methods} --tag none`, ['Values of tag: even (30), odd (30)'], {
    cwd,
  })
})
