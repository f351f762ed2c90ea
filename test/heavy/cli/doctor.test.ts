import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { benchOk } from '../../helpers/runs/cli.ts'

const key = 'sk-live-test-0123456789abcdef'

it('bench doctor names the key variable that is missing if only keys of other servers are set', async () => {
  const cwd = tempFolder()
  const config = 'agents: { far: { provider: openai, model: gpt-5, baseUrl: "http://127.0.0.1:1/v1" } }'
  writeFileSync(join(cwd, 'bench.config.yaml'), config)
  const unset = ['DASHSCOPE_API_KEY', 'OPENAI_COMPATIBLE_BASE_URL', 'OPENAI_BASE_URL', 'ANTHROPIC_API_KEY']
  const env = {
    ...Object.fromEntries(unset.map((name) => [name, undefined])),
    ...{ OPENAI_API_KEY: key, OPENAI_COMPATIBLE_API_KEY: key },
  }
  const text = await benchOk(['doctor', '--agents'], { cwd, env })
  expect(text).toMatch(
    /^missing +agent qwen-cli:MODEL +qwen-cli \(https:\/\/dashscope\.[^,)]*\).* DASHSCOPE_API_KEY is not set/m,
  )
  expect(text).toMatch(/^missing +agent claude-cli:MODEL +.*ANTHROPIC_API_KEY is not set/m)
  expect(text).toMatch(
    /^missing +agent far +.*its key is not set: OPENAI_API_KEY belongs to https:\/\/api\.openai\.com\/v1 or OPENAI_BASE_URL, not to http:\/\/127\.0\.0\.1:1\/v1\n +Set keyVariable, beside baseUrl, to the name/m,
  )
  const { OPENAI_API_KEY: _, ...without } = env
  const other = await benchOk(['doctor', '--agents'], { cwd, env: { ...without, OPENAI_API_KEY: undefined } })
  expect(other).toMatch(/^missing +agent opencode-cli:MODEL +.*[; ]OPENAI_API_KEY is not set/m)
})
