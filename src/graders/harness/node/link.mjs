// Sends calls to the other process and answers its calls, one message per line: [kind, number, shares, values]. A process that waits
// for an answer serves incoming calls, so calls may nest to any depth.
import { takeStep } from './iterators.mjs'
import { createMirror } from './mirror.mjs'
import { NotUnderstood } from './values.mjs'

/** Small stack frames that suffice for an answer, and for a call. */
const framesOfReply = 700
const framesOfAsk = 2 * framesOfReply

/** Throws the stack overflow error before a message is half written: otherwise the other process would wait for the rest. */
function ensureRoom(frames) {
  if (frames > 0) ensureRoom(frames - 1)
}

/**
 * `answers` has a function for each kind of message. `ended()` is called when the other process has ended, `confused(error)` when
 * it has sent something that an honest one never sends; neither returns. `sent()` is called after each message except answers.
 */
export function createLink({ side, channel, answers, ended, confused, sent }) {
  const replies = new Map()
  /** Numbers of open calls: an answer to any other number is invalid. */
  const asked = new Set()
  let last = 0
  /** Depth of nested calls of the other process that run here. */
  let serving = 0
  const mirror = createMirror({
    side,
    invoke: (fn, self, args, target) => ask('call', fn, self, target, ...args),
    step: (iterator, method, args) => askAll('step', iterator, method, ...args),
    settled: (...values) => notify('settle', ...values),
  })

  const work = createWork(mirror, confused)

  function write(kind, number, values) {
    const [shares, encoded] = mirror.pack(values)
    channel.write(JSON.stringify([kind, number, shares, encoded]))
  }

  /** Sends a message without an answer. */
  function notify(kind, ...values) {
    write(kind, 0, values)
    sent()
  }

  /** Sends a call and returns its answer, or throws what the other process threw. */
  const ask = (kind, ...values) => askAll(kind, ...values)[0]

  /** Like `ask`, for an answer of several values. */
  function askAll(kind, ...values) {
    // Only nested calls can go deep.
    if (serving > 0) ensureRoom(framesOfAsk)
    const number = ++last
    asked.add(number)
    write(kind, number, values)
    if (kind !== 'turn') sent()
    while (!replies.has(number)) receive()
    const { kind: how, values: answer } = replies.get(number)
    replies.delete(number)
    if (how === 'throw') {
      mirror.completeThrown(answer[0])
      throw answer[0]
    }
    return answer
  }

  /** Reads and serves one message; returns the result of its handler. */
  function receive() {
    const { kind, number, values } = next()
    if (kind === 'return' || kind === 'throw') {
      if (!asked.delete(number)) confused(new NotUnderstood('an answer'))
      replies.set(number, { kind, values })
    } else if (kind === 'settle') settle(values)
    else if (Object.hasOwn(work, kind)) reply(number, () => work[kind](values))
    else if (Object.hasOwn(answers, kind))
      return answers[kind](values, (give) => reply(number, () => [give()]))
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

  /** Answers with the values that `give` returns, or with what it throws. */
  function reply(number, give) {
    let answer
    serving++
    try {
      if (serving > 1) ensureRoom(framesOfReply)
      answer = ['return', number, give()]
    } catch (error) {
      mirror.noteThrown(error)
      answer = ['throw', number, [error]]
    } finally {
      serving--
    }
    write(...answer)
  }

  return { ask, notify, receive }
}

/** What the other process may ask for: a call of a function, or a step of an iterator, that this process has sent. */
function createWork(mirror, confused) {
  return {
    call([fn, self, target, ...args]) {
      if (typeof fn !== 'function' || !mirror.isOwn(fn)) return confused(new NotUnderstood('a call'))
      return [target === undefined ? Reflect.apply(fn, self, args) : Reflect.construct(fn, args, target)]
    },
    step([iterator, method, ...args]) {
      if (!mirror.isOwnIterator(iterator) || !['next', 'return', 'throw'].includes(method))
        return confused(new NotUnderstood('a step'))
      return takeStep(iterator, method, args)
    },
  }
}
