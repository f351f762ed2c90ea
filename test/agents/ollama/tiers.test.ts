import { describe, expect, it } from 'vitest'
import { isInstalled, ollamaAddress, tierFor, tiers } from '../../../src/agents/ollama/ollama-agent.ts'

describe('the tiers of local models', () => {
  it('are five, each with a higher memory bound than the one before', () => {
    const bounds = tiers.map(({ fromGib }) => fromGib)
    expect(bounds).toHaveLength(5)
    expect(bounds).toEqual([...new Set(bounds)].sort((a, b) => a - b))
  })

  it.each([
    [0, 'cpu'],
    [4, 'cpu'],
    [6, '8gb'],
    [11, '8gb'],
    [15.6, '16gb'],
    [19, '16gb'],
    [23.5, '24gb'],
    [30, '24gb'],
    [47, '48gb'],
    [640, '48gb'],
  ])('give the lower one for %d GiB, which is between two: %s', (gib, name) => {
    expect(tierFor(gib).name).toBe(name)
  })

  it('find a model without a tag as latest', () => {
    expect(isInstalled('qwen3', ['qwen3:latest'])).toBe(true)
    expect(isInstalled('qwen3:8b', ['qwen3:latest'])).toBe(false)
  })
})

describe('the address of Ollama', () => {
  it.each([
    [undefined, 'http://127.0.0.1:11434'],
    ['0.0.0.0', 'http://127.0.0.1:11434'],
    ['box:1234', 'http://box:1234'],
    ['https://box/ollama/', 'https://box/ollama'],
  ])('is read from OLLAMA_HOST %s', (host, address) => {
    expect(ollamaAddress(host)).toBe(address)
  })
})
