// Asks the other process and answers it, one message a line: [kind, number, shares, values]. Whoever waits for an answer
// serves the questions that come meanwhile, so calls may go to and fro as deep as they like.
import { createMirror } from './mirror.mjs'
import { NotUnderstood } from './values.mjs'

/** Small frames of the stack that the answer to a question, and a question of one's own, are sure to do with. */
const framesOfReply = 700
const framesOfAsk = 2 * framesOfReply

/** Throws what JavaScript throws where calls go too deep, before a message is half written: the other process would wait. */
function ensureRoom(frames) {
  if (frames > 0) ensureRoom(frames - 1)
}

/**
 * `answers` holds a function for each kind of question; `ended()` is called when the other process has gone, and does not
 * return, `confused(error)` likewise when it sent what no honest one sends; `sent()` after each message but an answer.
 */
export function createLink({ side, channel, answers, ended, confused, sent }) {
  const replies = new Map()
  /** Numbers of questions without an answer: nothing is answered before it is asked. */
  const asked = new Set()
  let last = 0
  /** Calls of the other process that are under way here, one inside of the other. */
  let serving = 0
  const mirror = createMirror({
    side,
    invoke: (fn, self, args, target) => ask('call', fn, self, target, ...args),
    settled: (...values) => tell('settle', ...values),
  })

  function write(kind, number, values) {
    const [shares, encoded] = mirror.pack(values)
    channel.write(JSON.stringify([kind, number, shares, encoded]))
  }

  /** Sends a message that wants no answer. */
  function tell(kind, ...values) {
    write(kind, 0, values)
    sent()
  }

  /** Waits for the answer, or throws what the other process threw. */
  function ask(kind, ...values) {
    // Calls go deep by going to and fro.
    if (serving > 0) ensureRoom(framesOfAsk)
    const number = ++last
    asked.add(number)
    write(kind, number, values)
    if (kind !== 'turn') sent()
    while (!replies.has(number)) receive()
    const { kind: how, value } = replies.get(number)
    replies.delete(number)
    if (how === 'throw') throw value
    return value
  }

  /** Reads and serves one message; gives what its answer gave. */
  function receive() {
    const { kind, number, values } = next()
    if (kind === 'return' || kind === 'throw') {
      if (!asked.delete(number)) confused(new NotUnderstood('an answer'))
      replies.set(number, { kind, value: values[0] })
    } else if (kind === 'settle') settle(values)
    else if (kind === 'call') reply(number, () => call(values))
    else if (Object.hasOwn(answers, kind)) return answers[kind](values, (work) => reply(number, work))
    else confused(new NotUnderstood('a message'))
    return undefined
  }

  function next() {
    try {
      const line = channel.read()
      if (line === undefined) return ended()
      const message = JSON.parse(line)
      return { kind: message[0], number: message[1], values: mirror.unpack(message.slice(2)) }
    } catch (error) {
      return confused(error instanceof NotUnderstood ? error : new NotUnderstood('a line'))
    }
  }

  function settle(values) {
    try {
      mirror.settle(...values)
    } catch (error) {
      confused(error)
    }
  }

  function call([fn, self, target, ...args]) {
    if (typeof fn !== 'function' || !mirror.isOwn(fn)) return confused(new NotUnderstood('a call'))
    return target === undefined ? Reflect.apply(fn, self, args) : Reflect.construct(fn, args, target)
  }

  function reply(number, work) {
    let answer
    serving++
    try {
      if (serving > 1) ensureRoom(framesOfReply)
      answer = ['return', number, [work()]]
    } catch (error) {
      answer = ['throw', number, [error]]
    } finally {
      serving--
    }
    write(...answer)
  }

  return { ask, tell, receive }
}
