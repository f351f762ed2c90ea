import { describe, expect, it } from 'vitest'
import { wordsOfBody } from '../../../src/agents/failures/server-words.ts'
import { tableOf } from '../../helpers/house/tables.ts'

describe('the words of a body', () => {
  it.each(
    tableOf<
      [
        string,
        (
          | Record<string, Record<string, string>>
          | Record<string, unknown>
          | Record<string, string>
          | Record<string, Record<string, unknown>[]>
          | Record<string, Record<string, unknown>>[]
          | Record<string, Record<string, unknown>>
        ),
        string,
      ][]
    >(import.meta.url, 'itsMessage'),
  )('of %s are its message', (_, body, message) => {
    expect(wordsOfBody(JSON.stringify(body)).message).toBe(message)
  })

  it.each([
    ['{"error":{"type":"bad","message":"No \\"more\\".","param":"yyy', 'No "more".', ['bad']],
    ['{"error":{"message":"Not whole \\u00', 'Not whole ', []],
    ['{"prompt":"\\"message\\": \\"fake\\"","message":"Own"', 'Own', []],
    ['{"detail":"Own","code":"one"', 'Own', ['one']],
    ['[ERROR] not JSON', '[ERROR] not JSON', []],
  ])('are read of JSON without its end: %s', (body, message, codes) => {
    expect(wordsOfBody(body)).toEqual({ message, codes, status: undefined })
  })

  it('of a page are its title and text, without scripts', () => {
    const page =
      '<!doctype html>\n<html><head><title> 502 Bad Gateway </title><style>b{}</style></head><body><script>x()</script><h1>Sorry</h1> try <b>later</b></body></html>'
    expect(wordsOfBody(page).message).toBe('502 Bad Gateway: Sorry try later')
    expect(
      wordsOfBody('<html><head><title>Not Found</title></head><body><h1>Not Found</h1>nginx</body></html>')
        .message,
    ).toBe('Not Found nginx')
    expect(wordsOfBody(' upstream\n connect error ').message).toBe('upstream connect error')
    expect(wordsOfBody('').message).toBe('')
  })

  it('name codes and a status', () => {
    const body = {
      error: { code: 429, message: 'slow', status: 'RESOURCE_EXHAUSTED', details: [{ reason: 'RATE' }] },
    }
    expect(wordsOfBody(JSON.stringify(body))).toMatchObject({
      status: 429,
      codes: ['RESOURCE_EXHAUSTED', 'RATE'],
    })
  })
})
