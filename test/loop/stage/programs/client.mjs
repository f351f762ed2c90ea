// A small client of the stage protocol, as any language has one.
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'

export function open() {
  const socket = connect(process.env.BENCH_SOCKET)
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]()
  const next = async () => {
    const { value, done } = await lines.next()
    return done ? undefined : JSON.parse(value)
  }
  let id = 0
  return {
    socket,
    next,
    hello: next,
    send: (request) => socket.write(`${JSON.stringify({ id: ++id, ...request })}\n`),
    async request(request) {
      this.send(request)
      return next()
    },
    close: () => socket.end(),
  }
}

export const readState = () => JSON.parse(readFileSync(process.env.BENCH_STATE, 'utf8'))

export function writeState(state) {
  const draft = `${process.env.BENCH_STATE}.draft`
  writeFileSync(draft, JSON.stringify(state))
  renameSync(draft, process.env.BENCH_STATE)
}
