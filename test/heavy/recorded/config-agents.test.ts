import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tableOf } from '../../helpers/house/tables.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { bench, recordsOf, shareProcess } from '../../helpers/runs/cli.ts'
import { recordedFolder } from '../../helpers/runs/recorded-files.ts'

shareProcess()

const config = `agents:
  cheap: recorded:qwen-2.5-7b@replies
  dear: { provider: recorded, model: deepseek-v3@replies }
roles: { solver: cheap }
run: { tasks: gsm8k:mgsm.jsonl.gz, methods: baseline, agents: dear }
`
const prices = 'prices: { recorded:qwen-2.5-7b: { input: 0.04, output: 0.1 } }\n'

function folder(): string {
  const cwd = recordedFolder()
  writeFileSync(join(cwd, 'bench.config.yaml'), config)
  writeFileSync(join(cwd, 'prices.yaml'), prices)
  return cwd
}

it.each(tableOf<[string, string][]>(import.meta.url, 'told'))(
  'what dev mode leaves for live mode is told in one line, with the flag: %s',
  async (_, words) => {
    const { code, stderr } = await bench(['--dry-run', ...words.split(' ').filter(Boolean)], {
      cwd: folder(),
    })
    const told = stderr.split('\n').filter((line) => /^(?:note|bench):/.test(line))
    expect({ code, told }).toMatchSnapshot()
  },
)

it('live mode asks the recorded agents of a config file', async () => {
  const cwd = folder()
  await bench(argv`--mode live --trust-code --prices prices.yaml --quiet --out run`, { cwd })
  const records = recordsOf(join(cwd, 'run'))
  expect(records).not.toEqual([])
  for (const record of records)
    expect(record).toMatchObject({ mode: 'live', agents: { solver: 'recorded:qwen-2.5-7b@replies' } })
})

it.each(tableOf<[string, string[]][]>(import.meta.url, 'prices'))(
  'a price file that does not fit the run is told by place: %s',
  async (_, lines) => {
    const cwd = recordedFolder()
    writeFileSync(join(cwd, 'p.yaml'), lines.map((line) => `${line}\n`).join(''))
    const args = argv`--tasks gsm8k:mgsm.jsonl.gz --methods baseline --agents recorded:qwen-2.5-7b@replies,recorded:deepseek-v3@replies`
    const { code, stderr } = await bench([...args, ...argv`--prices p.yaml --dry-run`], { cwd })
    expect({ code, stderr }).toMatchSnapshot()
  },
)
