import { request } from 'node:http'
import { onTestFinished } from 'vitest'
import { openViewer, type ViewFlags } from '../../../src/commands/view.ts'

/** What a server answered. */
interface Answer {
  status: number
  headers: Readonly<Record<string, string | string[] | undefined>>
  text: string
}

/** A request as it is sent: nothing of it is tidied up. */
export interface RawRequest {
  method?: string
  path: string
  headers?: Readonly<Record<string, string>>
  body?: string
}

/** A server of `bench view` on loopback, and a person who has opened its address. */
export interface TestViewer {
  /** The address with the token, as it is printed. */
  address: string
  port: number
  token: string
  /** Sends a request as it is, without the cookie. */
  send(wanted: RawRequest): Promise<Answer>
  /** Sends a request with the cookie of a person. */
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Answer>
  post(path: string, form: Readonly<Record<string, string>>): Promise<Answer>
  /** Returns the token of the forms of a page. */
  controlOf(path: string): Promise<string>
}

/** Lets a server show the runs of a folder until the test has finished. */
export async function viewerOf(root: string, flags: ViewFlags = {}): Promise<TestViewer> {
  const viewer = await openViewer(root, undefined, flags)
  onTestFinished(() => viewer.close())
  const { port, searchParams } = new URL(viewer.address)
  const token = searchParams.get('token') ?? ''
  const send = (wanted: RawRequest) => sendRaw(Number(port), wanted)
  const cookie = { cookie: `bench-${port}=${token}` }
  const get: TestViewer['get'] = (path, headers = {}) => send({ path, headers: { ...cookie, ...headers } })
  return {
    ...{ address: viewer.address, port: Number(port), token, send, get },
    post: (path, form) =>
      send({
        ...{ method: 'POST', path, body: String(new URLSearchParams(form)) },
        headers: { ...cookie, 'content-type': 'application/x-www-form-urlencoded' },
      }),
    async controlOf(path) {
      const { text } = await get(path)
      return /name="control" value="([^"]+)"/.exec(text)?.[1] ?? ''
    },
  }
}

function sendRaw(port: number, { method = 'GET', path, headers = {}, body }: RawRequest): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port, path, method, headers: { host: `127.0.0.1:${port}`, ...headers } },
      (answer) => {
        let text = ''
        answer.setEncoding('utf8')
        answer.on('data', (chunk: string) => {
          text += chunk
        })
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }))
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}
