import { DatabaseError } from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import { COMMENT_MAXIMUM } from '../../src/features/surveys/page/read-answer.ts'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { arabic, english, turkish } from '../harness/sample-trips.ts'
import { BROWSER, type Form, surveysOf } from '../harness/surveys.ts'

let cell: TestCell
let agency: Agency
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  agency = await makeAgency(cell)
})
const { sql, invite, open, send, segments, kept, letPass } = surveysOf(() => cell)

const hidden = [
  { segment_type: 'note', title: 'Bring cash' },
  { segment_type: 'free_time', title: 'Stroll' },
  { segment_type: 'meeting_point', title: 'At the gate' },
  { segment_type: 'tour', title: 'Called off', status: 'cancelled' },
  { segment_type: 'tour', title: 'An idea', status: 'draft' },
  { segment_type: 'transfer', title: 'Internal', is_client_visible: false },
]
const written = {
  trip: { title: 'Rome', start_date: '2026-06-12', end_date: '2026-06-13', settings: { language: 'en' } },
  days: [
    { date: '2026-06-12', segments: [{ segment_type: 'lodging', title: 'Hotel Santa Maria' }, ...hidden] },
    { date: '2026-06-13', segments: [{ segment_type: 'tour', title: 'Colosseum' }] },
  ],
}
const answered = (...ratings: [string, string][]): [string, string][] => [
  ['likelihood', '9'],
  ['comment', 'Lovely'],
  ...ratings,
]

describe('the page of a survey', () => {
  it('asks about the trip, and about the delivered services of its days', async () => {
    const { path } = await invite(agency, written)
    const { statusCode, headers, body } = await open(path)
    expect(statusCode).toBe(200)
    for (const text of [
      'Test Seyahat',
      '<h1 dir="auto">Rome</h1>',
      'Friday, 12 June 2026',
      'Hotel Santa Maria',
      'Colosseum',
    ])
      expect(body).toContain(text)
    for (const { title } of hidden) expect(body).not.toContain(title)
    expect(body).not.toMatch(/<script|Ayşe/)
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex, nofollow' })
  })
  it.each([
    ['tr', 'en', 'en', 'tr'],
    [null, 'tr', 'en', 'tr'],
    [null, null, 'tr', 'tr'],
    ['de', 'tr', 'tr', 'en'],
  ])(
    'speaks the language of the customer (%s), else of the trip (%s), else of the account (%s): %s',
    async (locale, language, account, expected) => {
      const own = await makeAgency(cell)
      await sql('update accounts set locale = $2 where account_id = $1', [own.number, account])
      const { path } = await invite(
        own,
        { trip: { settings: language === null ? {} : { language } } },
        { customer: { locale } },
      )
      expect((await open(path, { ...BROWSER, 'accept-language': 'en' })).body).toContain(`<html lang="${expected}">`)
    },
  )
  it('is opened by somebody, and by no robot and no look at its headers', async () => {
    const survey = await invite(agency, english)
    await open(survey.path, BROWSER, 'HEAD')
    await open(survey.path, { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' })
    await open(survey.path, { ...BROWSER, 'sec-purpose': 'prefetch' })
    expect((await kept(survey)).started).toBe(false)
    await open(survey.path)
    expect(await kept(survey)).toMatchObject({ started: true, completed: false })
    const at = () => sql('select started_at from surveys where id = $1', [survey.id])
    const before = await at()
    await open(survey.path)
    expect(await at()).toEqual(before)
  })
  it.each([
    ['English', english],
    ['Turkish', turkish],
    ['Arabic', arabic],
  ])('stands with %s texts', async (_, trip) => {
    const survey = await invite(agency, trip)
    expect(
      (await send(survey.path, { likelihood: '10', comment: '<b>"رائع"&amp;\r\n\r\nçok güzel</b>' })).statusCode,
    ).toBe(303)
    expect((await kept(survey)).comment).toBe('<b>"رائع"&amp;\n\nçok güzel</b>')
    expect((await open(survey.path)).body).toContain(
      '&lt;b&gt;&quot;رائع&quot;&amp;amp;\n\nçok güzel&lt;/b&gt;</textarea>',
    )
  })
})

describe('an answer', () => {
  it('is kept whole, and leads back to the page, which thanks for it', async () => {
    const survey = await invite(agency, written, { columns: { reminder_due_at: new Date() } })
    const [hotel, , , , , , , tour] = await segments(survey)
    const { statusCode, headers } = await send(survey.path, answered([`rating-${hotel}`, '5'], [`rating-${tour}`, '']))
    expect([statusCode, `/f/${headers.location}`]).toEqual([303, survey.path])
    expect(await kept(survey)).toEqual({
      started: true,
      completed: true,
      nps: 9,
      comment: 'Lovely',
      reminder: 'skipped',
      task: null,
      ratings: { [String(hotel)]: 5 },
    })
    const { body } = await open(survey.path)
    expect(body).toContain('Thank you!')
    expect(body).toContain('Change my answer')
    expect(body).toMatch(/value="9" required checked/)
    expect(body).toMatch(/value="5" aria-label="5 of 5 stars" checked/)
    expect(body).toContain('Lovely</textarea>')
  })
  it('keeps the supplier of a rating, also if the segment is deleted', async () => {
    const [supplier] = await sql<{ id: string }>(
      `insert into suppliers (account_id, name, changed) values ($1, 'Santa Maria', 1) returning id`,
      [agency.number],
    )
    const survey = await invite(agency, { days: [{ segments: [{ supplier_id: supplier?.id }] }] })
    const [segment] = await segments(survey)
    await send(survey.path, answered([`rating-${segment}`, '2']))
    await sql('delete from trip_segments where id = $1', [segment])
    expect(
      await sql('select supplier_id, rating, segment_id from survey_ratings where survey_id = $1', [survey.id]),
    ).toEqual([{ supplier_id: supplier?.id, rating: 2, segment_id: null }])
  })
  it('is replaced whole within a day of the first, and stands from then on', async () => {
    const survey = await invite(agency, written)
    const [hotel] = await segments(survey)
    await send(survey.path, answered([`rating-${hotel}`, '5']))
    await letPass(survey, '23 hours 59 minutes')
    expect((await send(survey.path, { likelihood: '7' })).statusCode).toBe(303)
    expect(await kept(survey)).toMatchObject({ nps: 7, comment: null, ratings: {} })
    await letPass(survey, '2 minutes')
    const { statusCode } = await send(survey.path, { likelihood: '1' })
    const { body } = await open(survey.path)
    expect([statusCode, await kept(survey)]).toMatchObject([303, { nps: 7, task: null }])
    expect(body).toContain('Thank you!')
    expect(body).not.toContain('<form')
  })
  it('is one whole answer where several come at once', async () => {
    const survey = await invite(agency, written)
    const [hotel, , , , , , , tour] = await segments(survey)
    const forms: Form[] = [
      { likelihood: '3', comment: 'three', [`rating-${hotel}`]: '3', [`rating-${tour}`]: '3' },
      { likelihood: '2', comment: 'two', [`rating-${hotel}`]: '2' },
      { likelihood: '1', comment: 'one' },
    ]
    const answers = await Promise.all([...forms, ...forms].map((form) => send(survey.path, form)))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(6).fill(303))
    const { nps, comment, ratings } = await kept(survey)
    expect([
      [3, 'three', [3, 3]],
      [2, 'two', [2]],
      [1, 'one', []],
    ]).toContainEqual([nps, comment, Object.values(ratings)])
    const [tasks] = await sql('select count(*)::integer from tasks where taskable_id = $1', [survey.trip])
    expect(tasks).toEqual({ count: 1 })
  })
  it('of a robot, which fills in the hidden field, changes nothing, and notifies no one', async () => {
    const survey = await invite(agency, english)
    const { statusCode, headers } = await send(survey.path, { likelihood: '9', website: 'https://spam.example' })
    expect([statusCode, `/f/${headers.location}`]).toEqual([303, survey.path])
    expect(await kept(survey)).toMatchObject({ started: false, completed: false })
  })
})

describe('a form that does not hold', () => {
  it.each<[string, Form, string]>([
    ['without a likelihood', { comment: 'kept' }, 'Please choose a number from 0 to 10.'],
    ...['11', '-1', '5.0', '５', ' 5', '1e1', 'x'.repeat(1000), '\0'].map((likelihood): [string, Form, string] => [
      `with the likelihood ${JSON.stringify(likelihood.slice(0, 10))}`,
      { likelihood, comment: 'kept' },
      'Please choose a number from 0 to 10.',
    ]),
    [
      'with a comment that is too long',
      { likelihood: '9', comment: `kept${'ş'.repeat(COMMENT_MAXIMUM)}` },
      'Please use at most 4000 characters.',
    ],
  ])('%s is shown again with its input, and not stored', async (_, form, problem) => {
    const survey = await invite(agency, english)
    const { statusCode, body } = await send(survey.path, form)
    expect([statusCode, (await kept(survey)).completed]).toEqual([422, false])
    expect(body).toContain(`>${problem}</p>`)
    expect(body).toMatch(/<textarea[^>]*>\nkept/)
  })
  it('with an invalid rating shows the error next to it, and keeps the other choices', async () => {
    const survey = await invite(agency, written)
    const [hotel, , , , , , , tour] = await segments(survey)
    const { statusCode, body } = await send(survey.path, answered([`rating-${hotel}`, '6'], [`rating-${tour}`, '4']))
    expect(statusCode).toBe(422)
    expect(body).toContain(`id="rating-${hotel}-problem">Please choose one star to five`)
    expect(body).toMatch(new RegExp(`name="rating-${tour}" value="4" aria-label="4 of 5 stars" checked`))
    expect(body).toMatch(/value="9" required checked/)
  })
  it('ignores segments that are not in the survey', async () => {
    const [survey, other] = [await invite(agency, written), await invite(agency, written)]
    const strange = [...(await segments(other)), (await segments(survey))[1], 'x', '__proto__', '']
    const { statusCode } = await send(
      survey.path,
      answered(...strange.map((id): [string, string] => [`rating-${id}`, '5'])),
    )
    expect([statusCode, await kept(survey)]).toMatchObject([303, { nps: 9, ratings: {} }])
  })
  it('is answered, whatever it is', async () => {
    const survey = await invite(agency, english)
    const [segment] = await segments(survey)
    const raw = (payload: string | Buffer, type = 'application/x-www-form-urlencoded') =>
      cell.app.inject({ method: 'POST', url: survey.path, headers: { 'content-type': type }, payload })
    const doubled = `likelihood=4&likelihood=9&likelihood[]=1&comment=a&comment=b&rating-${segment}=1&rating-${segment}=x`
    expect((await raw(doubled)).statusCode).toBe(303)
    expect(await kept(survey)).toMatchObject({ nps: 4, comment: 'a', ratings: { [String(segment)]: 1 } })
    const bytes = Buffer.concat([
      Buffer.from('likelihood=8&comment=a%00b%0Cc%FF%ED%A0%80'),
      Buffer.from([0xff, 0xfe, 0]),
    ])
    expect((await raw(bytes)).statusCode).toBe(303)
    expect(await kept(survey)).toMatchObject({ nps: 8, comment: 'abc\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd' })
    const answers = [
      await raw(''),
      await raw('%'),
      await raw('=&&=%zz&'),
      await raw('{"likelihood":9}', 'application/json'),
      await raw('likelihood=9', 'text/plain'),
      await raw('--x\r\n', 'multipart/form-data; boundary=x'),
      await raw(`comment=${'a'.repeat(200_000)}`),
    ]
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([422, 422, 422, 415, 415, 415, 413])
    expect(await kept(survey)).toMatchObject({ nps: 8 })
  })
})

describe('an invalid survey', () => {
  const look = async (path: string) => {
    const all = [
      await open(path),
      await open(path, { ...BROWSER, 'accept-language': 'tr' }),
      await open(path, BROWSER, 'HEAD'),
      await send(path, { likelihood: '9' }),
    ]
    return all.map(({ statusCode, headers: { 'x-request-id': _, date: __, ...same }, body }) => [
      statusCode,
      same,
      body,
    ])
  }
  it('never was, is another token, or is of a closed account, a cancelled trip or a deleted customer: the same page', async () => {
    const closed = await makeAgency(cell)
    const [ofClosed, cancelled, deleted, good] = [
      await invite(closed, english),
      await invite(agency, { trip: { status: 'cancelled' } }),
      await invite(agency, english, { customer: { deleted_at: new Date() } }),
      await invite(agency, english),
    ]
    await sql(`update accounts set status = 'closed' where account_id = $1`, [closed.number])
    const nowhere = await look(`/f/${'A'.repeat(80)}`)
    expect(nowhere.map(([status]) => status)).toEqual([404, 404, 404, 404])
    expect(nowhere[1]?.[2]).toContain('<html lang="tr">')
    const unsubscribe = cell.deps.unsubscribing.write(agency.number, 'survey', [String(agency.number), good.id])
    const unknown = cell.deps.surveying.write(agency.number, 'survey', [String(agency.number), closed.owner.id])
    const strangers = [
      'x',
      'ş',
      '%00',
      `${good.path.slice(3)}=`,
      `${good.path.slice(3)}%0d%0aX:y`,
      unsubscribe,
      unknown,
    ]
    for (const path of [ofClosed.path, cancelled.path, deleted.path, ...strangers.map((token) => `/f/${token}`)])
      expect(await look(path)).toEqual(nowhere)
    expect((await kept(ofClosed)).started).toBe(false)
    for (const path of ['/f/', `${good.path}/`, `${good.path}/x`, `/f/${'x'.repeat(5000)}`])
      expect([(await open(path)).statusCode, (await open(path)).body]).toEqual([404, nowhere[0]?.[2]])
    const { statusCode, headers } = await cell.app.inject({ method: 'DELETE', url: good.path })
    expect([statusCode, headers.allow]).toEqual([405, 'GET, HEAD, POST'])
  })
})

describe('an answer that waits for the account’s own writes', () => {
  it.each([
    ['en', 'We are very busy right now.'],
    ['tr', 'Şu anda çok yoğunuz.'],
  ])('for too long is shown again with its input, and then accepted: %s', async (locale, expectedText) => {
    const survey = await invite(agency, english, { customer: { locale } })
    const late = () => Promise.reject(Object.assign(new DatabaseError('', 0, 'error'), { code: '55P03' }))
    const db = Object.create(cell.deps.db, { inAccount: { value: late }, close: { value: async () => {} } })
    const busy = await startCell({ connection: cell.connection, keys: cell.keys, deps: { db, count: uncounted } })
    const form = { likelihood: '8', comment: 'A long story' }
    const { statusCode, headers, body } = await surveysOf(() => busy).send(survey.path, form)
    expect([statusCode, headers['retry-after']]).toEqual([503, '10'])
    expect(body).toContain(expectedText)
    expect(body).toContain('A long story</textarea>')
    expect(body).toMatch(/value="8" required checked/)
    expect((await send(survey.path, form)).statusCode).toBe(303)
    expect((await kept(survey)).nps).toBe(8)
  })
})

describe('a survey that is sent again and again', () => {
  it('waits for the next minute, and keeps its input', async () => {
    const counting = await startCell()
    const of = await makeAgency(counting)
    const words = surveysOf(() => counting)
    const [survey, other] = [await words.invite(of, english), await words.invite(of, english)]
    counting.clock.set(Date.parse('2031-01-01T00:00:20Z'))
    const answers = []
    for (let nth = 0; nth < 7; nth++)
      answers.push(await words.send(survey.path, { likelihood: '8', comment: `nth ${nth}` }))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([303, 303, 303, 303, 303, 429, 429])
    expect(Number(answers[5]?.headers['retry-after'])).toBeGreaterThan(30)
    expect(answers[5]?.body).toContain('nth 5</textarea>')
    expect((await words.kept(survey)).comment).toBe('nth 4')
    expect((await words.send(other.path, { likelihood: '8' })).statusCode).toBe(303)
    counting.clock.add(60_000)
    expect((await words.send(survey.path, { likelihood: '8' })).statusCode).toBe(303)
  })
})
