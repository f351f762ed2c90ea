import { spawn } from 'node:child_process'
import { describe, expect } from 'vitest'
import { needs } from '../../helpers/house/needs.ts'

const channel = new URL('../../../src/graders/harness/node/channel.mjs', import.meta.url).href
const program = `const { createChannel, takeChannel } = await import(${JSON.stringify(channel)})
const { readFileSync, writeSync } = process.getBuiltinModule('node:fs')
const channel = createChannel(takeChannel())
const line = channel.read()
writeSync(1, 'printed ' + readFileSync(0, 'utf8').length)
channel.write(line + ' back')`

/** Runs the program with pipes as its standard streams, as in a container; a shell makes them. */
const throughPipes = () =>
  new Promise<{ stdout: string; stderr: string }>((resolve) => {
    const command = `{ echo 'a line' | "$0" --input-type=module -e "$1" | { read -r line; echo "answered $line"; } >&3; } 2>&1 3>&1 | cat`
    const child = spawn('/bin/sh', ['-c', command, process.execPath, program])
    const texts = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const)
      child[name].on('data', (chunk) => {
        texts[name] += chunk
      })
    child.on('close', () => resolve(texts))
  })

describe('the channel of a solution, where no other descriptors can be passed', () => {
  needs('Linux').it('is moved away from standard input and output', { timeout: 20_000 }, async () => {
    expect(await throughPipes()).toEqual({ stdout: 'printed 0answered a line back\n', stderr: '' })
  })
})
