const load = (name: string) =>
  import(new URL(`../../../src/graders/harness/node/${name}`, import.meta.url).href)
const { createLink } = await load('link.mjs')

/** Connects tests and a module of the solution in this process. Returns the module as the tests see it. */
export function joinedTo<Module extends object>(module: Module): Module {
  const tests: string[] = []
  const solution: string[] = []
  const join = (parity: 0 | 1, inbox: string[], outbox: string[], other: () => { receive(): unknown }) =>
    createLink({
      side: parity === 0 ? 'solution' : 'tests',
      channel: {
        write: (line: string) => outbox.push(line),
        read() {
          while (inbox.length === 0) other().receive()
          return inbox.shift()
        },
      },
      answers: { load: (_: unknown, reply: (work: () => unknown) => void) => reply(() => module) },
      ended: () => undefined,
      confused: (error: Error) => {
        throw error
      },
      sent: () => undefined,
    })
  const answering = join(0, solution, tests, () => asking)
  const asking = join(1, tests, solution, () => answering)
  return asking.ask('load')
}
