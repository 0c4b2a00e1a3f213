import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { environmentOf, outputOf } from '../harness/command-line.ts'
import { temporaryFolder } from '../harness/process.ts'
import { ask } from '../harness/sql.ts'
import { tripsOf } from '../harness/trips.ts'

const folder = temporaryFolder()
let cell: TestCell
let agency: Agency
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  agency = await makeAgency(cell)
})
const { customer } = tripsOf(() => cell)

/** Runs `backdesk …` on the cell's database, in this process, and returns its output. */
const backdesk = (...args: string[]): Promise<string> =>
  outputOf([...args, '--account', String(agency.number)], folder, environmentOf(cell))
const json = async (...args: string[]) => JSON.parse(await backdesk(...args, '--json'))

describe('backdesk template', () => {
  const birthday = ['--kind', 'birthday', '--locale', 'tr']
  it('shows the program’s words, takes the account’s own from options or a file, and takes them back', async () => {
    const { templates } = await json('template', 'list')
    const locales = Object.values(Object.groupBy(templates, ({ kind }: { kind: string }) => kind)).map(
      (of) => of?.length,
    )
    expect(new Set(locales)).toEqual(new Set([2]))
    expect(templates).toContainEqual({
      kind: 'birthday',
      locale: 'tr',
      purpose: 'marketing',
      own: false,
      subject: 'Doğum gününüz kutlu olsun!',
    })
    const file = join(folder, 'birthday.txt')
    await writeFile(file, '{{greeting}}\n\nNice yıllara!\n')
    await backdesk('template', 'set', ...birthday, '--subject', 'Nice yıllara', '--body-file', file)
    expect(await json('template', 'show', ...birthday)).toEqual({
      kind: 'birthday',
      locale: 'tr',
      purpose: 'marketing',
      own: true,
      subject: 'Nice yıllara',
      body: '{{greeting}}\n\nNice yıllara!',
      placeholders: ['greeting', 'customer.name', 'agency.name'],
      version: expect.any(Number),
    })
    expect(await backdesk('template', 'show', ...birthday)).toContain('Changed by the account.')
    expect(await backdesk('template', 'reset', ...birthday)).toBe(
      'birthday in tr was restored to the built-in template.\n',
    )
    expect(await backdesk('template', 'reset', ...birthday)).toBe('birthday in tr already is the built-in template.\n')
    const given = ['template', 'set', ...birthday, '--subject', 'x']
    await expect(backdesk(...given)).rejects.toThrow('Use either --body or --body-file.')
    await expect(backdesk(...given, '--body', '{{trip.title}}')).rejects.toThrow('birthday has no placeholder')
  })
})

describe('backdesk account and seat', () => {
  it('say how much is sent, from where, and who is reminded by e-mail', async () => {
    await backdesk('account', 'update', '--daily-messages', '25', '--mail-domains', 'Agency.example, münchen.example')
    await backdesk('account', 'update', '--locale', 'tr', '--answer-address', 'info@agency.example')
    const read = 'select locale, daily_messages, mail_domains, answer_address from accounts where account_id = $1'
    expect(await ask(cell, read, [agency.number])).toEqual([
      {
        locale: 'tr',
        daily_messages: 25,
        mail_domains: ['agency.example', 'xn--mnchen-3ya.example'],
        answer_address: 'info@agency.example',
      },
    ])
    await expect(backdesk('account', 'update', '--answer-address', 'nobody')).rejects.toThrow(
      'answer_address: Send an address such as name@example.com.',
    )
    await backdesk('account', 'update', '--mail-domains', '', '--answer-address', '')
    expect(await ask(cell, read, [agency.number])).toMatchObject([
      { daily_messages: 25, mail_domains: [], answer_address: null },
    ])
    const answer = await json('seat', 'update', agency.advisor, '--reminder-mails', 'yes', '--locale', 'tr')
    expect(answer).toEqual({ id: agency.advisor, agent_sines: [], mails_reminders: true, locale: 'tr' })
    const { seats } = await json('seat', 'list')
    expect(seats).toContainEqual(expect.objectContaining({ id: agency.advisor, mails_reminders: true, locale: 'tr' }))
    await backdesk('seat', 'update', agency.advisor, '--sign', '1001ay')
    expect(await json('seat', 'update', agency.advisor, '--reminder-mails', 'no')).toMatchObject({
      agent_sines: ['1001AY'],
      mails_reminders: false,
    })
  })
  it.each([
    ['a whole number from 0', 'account', 'update', '--daily-messages', '-1'],
    ['a whole number from 0', 'account', 'update', '--daily-messages', 'many'],
    ['a whole number from 0', 'account', 'update', '--daily-messages', ''],
    ['is not a domain', 'account', 'update', '--mail-domains', 'agency.example,info@agency.example'],
    ['is not a domain', 'account', 'update', '--mail-domains', 'localhost'],
    ['is not a language', 'account', 'update', '--locale', 'Turkish'],
    ['takes yes or no', 'seat', 'update', 'x', '--reminder-mails', 'maybe'],
    ['Nothing to update', 'seat', 'update', 'x'],
    [
      'No seat 01890000-0000-7000-8000-000000000000 exists',
      'seat',
      'update',
      '01890000-0000-7000-8000-000000000000',
      '--reminder-mails',
      'yes',
    ],
  ])('refuse what does not hold: %s', async (reason, ...args) => {
    await expect(backdesk(...args)).rejects.toThrow(reason)
  })
})

describe('backdesk message', () => {
  it('shows pending and failed messages, without content and recipients', async () => {
    const of = await customer(agency, { email: 'secret@example.com' })
    const write = (channel: string) =>
      cell.call('POST', '/communications', {
        key: agency.key,
        body: {
          communication: { direction: 'outbound', channel, customer_id: of, subject: 'Secret', body_plain: 'Secret' },
        },
      })
    const { id } = ((await write('email')).body as { data: { id: string } }).data
    const noted = ((await write('phone')).body as { data: { id: string } }).data
    const { messages } = await json('message', 'list')
    expect(messages).toMatchObject([{ id, channel: 'email', status: 'queued', attempts: 0, failure_reason: null }])
    expect(await json('message', 'list', '--status', 'recorded')).toMatchObject({ messages: [{ id: noted.id }] })
    const shown = await backdesk('message', 'show', id)
    expect(shown).toContain(`customer_id: ${of}\n`)
    expect(await json('message', 'show', id)).toMatchObject({ id, recipients: 1, sent_at: null, thread_id: id })
    expect(`${await backdesk('message', 'list')}${shown}`).not.toMatch(/secret/i)
    await expect(backdesk('message', 'show', agency.advisor)).rejects.toThrow('No such message')
    await expect(backdesk('message', 'list', '--status', 'bounced')).rejects.toThrow('Choose one of queued, sending, ')
  })
})
