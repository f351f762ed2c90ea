import { expect, it } from 'vitest'
import { benchOk, recordsOf, stepsOf } from '../helpers/runs/cli.ts'
import { programs } from './clients.ts'
import { asksOf, counted, liveArgs, liveSetting, patience, runLive, sumOf, tokensOf } from './live-run.ts'
import { isOrchestrator, orchestratorModel } from './orchestrator-model.ts'

/** Those that can be limited to the tools of a server. */
const directing = programs.filter(({ agent }) => /^(?:claude|codex|gemini)-cli:/.test(agent))

const workers = 'openai-compatible:local-model'
const argsOf = (folder: string, agent: string) => [
  ...liveArgs(folder, workers, 'duration-text', 'integrated[by=mcp]'),
  ...['--agent', `orchestrator=${agent}`],
]

it.each(directing)(
  '$agent directs the other roles by our tools, has no other, and its bill is that of its server',
  async ({ agent }) => {
    const seen: string[][] = []
    const model = orchestratorModel()
    const setting = await liveSetting((request) => {
      if (isOrchestrator(request)) seen.push([...request.tools])
      return model(request)
    })
    await runLive(setting, argsOf(setting.folder, agent))
    if (process.env.SHOW) console.log(JSON.stringify(seen), JSON.stringify(stepsOf(setting.folder).map((s) => [s.key, s.kind, 'reply' in s ? s.reply : '', 'error' in s ? s.error : '', 'refused' in s ? s.refused : ''])), JSON.stringify(recordsOf(setting.folder)).slice(0,3000))
    expect(recordsOf(setting.folder)).toMatchObject([{ passed: true, outcome: { status: 'completed' } }])
  },
  patience,
)
