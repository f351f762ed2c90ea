import { expect, it } from 'vitest'
import { allOf, judgeModule } from '../../helpers/graders/judge-module.ts'

it('tests reject deceptive values however they arrive', async () => {
  const source = `const yes = () => true, none = function* () {}
const lie = () => Object.assign([-1], { every: yes, includes: yes })
const soft = () => Object.assign(new Error('x'), { message: { includes: yes } })
export const cover = (l) => { l.every = yes; l.includes = yes; l[Symbol.iterator] = none; l.push(-9) }
export const coverMap = (m) => { m.has = yes; Object.defineProperty(m, 'size', { value: 2 }); m[Symbol.iterator] = none; m.set('x', -1) }
const kept = [-1]; export const get = () => kept; export const later = () => { kept.every = yes; kept.includes = yes; kept.push(-2) }
export const back = (f) => f(lie())
export const soon = async () => lie()
export function* walk() { yield lie() }
export const nested = () => ({ a: [new Map([['k', lie()]])] })
export const proto = (o) => { Object.setPrototypeOf(o, { every: yes }); o.a = 1 }
export const field = { get list() { return lie() } }
export class C { static list = lie(); list = lie() }
export const own = (o) => { o.valueOf = (() => { let n = 0; return () => n++ % 2 ? -10 : 10 })(); o.hasOwnProperty = yes }
export const err = (cb) => cb(soft(), null)
export const errs = () => { throw new AggregateError([soft()]) }
export const cause = () => { throw new Error('a', { cause: soft() }) }
export const rej = () => Promise.reject(soft())
export const lateErr = new Error('x'); export const spoil = () => { lateErr.message = { includes: yes } }
export const knows = () => true
export const Knowing = Object.setPrototypeOf(class {}, { [Symbol.hasInstance]: yes })
export class Own extends Error {}
export function Old(message) { this.message = message }
Old.prototype = Object.create(Error.prototype)
export const plain = () => { throw { message: { includes: yes, match: yes }, get name() { return { includes: yes } } } }
export const fail = (kind) => { throw new (kind === 'own' ? Own : kind === 'old' ? Old : TypeError)('no') }
export const reject = async () => plain()
export const hidden = Object.defineProperty([-1], 'every', { get: () => yes })
export const typed = (b) => { b.every = yes; b[0] = 200 }
`
  const bodies = {
    'ours, covered': `const l = [1]; x.cover(l); isBad(l); assert.deepStrictEqual([...l], [1, -9]); assert.deepStrictEqual(Object.keys(l), ['0', '1'])`,
    'a map of ours': `const m = new Map(); x.coverMap(m); assert.ok(!m.has('q')); assert.equal(m.size, 1); assert.deepStrictEqual([...m], [['x', -1]])`,
    'covered later': `const l = x.get(); x.later(); isBad(l); assert.equal(l.length, 2)`,
    'given to a callback': `x.back((l) => { isBad(l) })`,
    promised: `const l = await x.soon(); isBad(l)`,
    'of an iterator': `for (const l of x.walk()) { isBad(l) }`,
    'inside of others': `const l = x.nested().a[0].get('k'); isBad(l)`,
    'other prototypes': `const l = [-1]; x.proto(l); assert.equal(Object.getPrototypeOf(l), Array.prototype); const o = {}; x.proto(o); assert.equal(Object.getPrototypeOf(o), Object.prototype)`,
    'of fields and classes': `isBad(x.field.list); isBad(x.C.list); isBad(new x.C().list); isBad(x.hidden)`,
    'an object of ours': `const o = { a: 1 }; x.own(o); assert.ok(!(o > 2 && o < 4)); assert.ok(!o.hasOwnProperty?.('zz'))`,
    'an error for a callback': `x.err((e) => assert.equal(typeof e.message, 'string'))`,
    'errors in errors': `try { x.errs() } catch (e) { assert.equal(typeof e.errors[0].message, 'string') } try { x.cause() } catch (e) { assert.equal(typeof e.cause.message, 'string') }`,
    'rejected with': `try { await x.rej() } catch (e) { assert.equal(typeof e.message, 'string') }`,
    'an error that changes': `x.spoil(); assert.equal(x.lateErr.message, 'x')`,
    'a check of its own': `for (const check of [x.knows, x.Knowing]) { assert.throws(() => assert.throws(() => x.fail(), check)); await assert.rejects(assert.rejects(async () => x.fail(), check)) } assert.ok(!([] instanceof x.Knowing))`,
    'classes of its own': `assert.throws(() => x.fail('own'), x.Own); assert.throws(() => x.fail('old'), x.Old); assert.throws(() => assert.throws(() => x.fail('own'), x.Old)); loose.throws(() => x.fail('own'), x.Own, 'said'); assert.throws(() => x.fail(), (e) => e.message === 'no')`,
    'an object that is thrown': `for (const work of [x.plain, x.reject]) try { await work(); assert.fail() } catch (e) { assert.equal(typeof e.message, 'string'); assert.equal(typeof e.name, 'string') }`,
    'bytes of ours': `const b = new Uint8Array([1]); x.typed(b); assert.ok(!b.every((n) => n < 9))`,
  }
  const imports = 'const isBad = (list) => assert.ok(!list.every((n) => n > 0) && !list.includes(2))'
  expect(await judgeModule(source, bodies, { imports })).toBe(allOf(bodies))
})
