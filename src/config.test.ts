import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readConfig, VARIABLES } from './config.ts'
import type { Network } from './platform/access/source-address.ts'
import { SECRET_MINIMUM } from './platform/kept-secret.ts'

const SECRET = 'k'.repeat(SECRET_MINIMUM)
const FORMER_SECRET = 'f'.repeat(SECRET_MINIMUM)
const PUBLIC_URL = 'https://backdesk.example'
const problems = (environment: Record<string, string>): string => {
  try {
    readConfig(environment)
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

describe('the configuration', () => {
  it('has defaults, and treats empty values as unset', () => {
    const expected = {
      port: 3000,
      host: 'localhost',
      publicUrl: 'http://localhost:3000',
      logLevel: 'info',
      logRequests: false,
      metricsAddress: null,
      stopGraceS: 0,
      shedAfterMs: 1000,
      region: 'eu',
      accountNumbers: { first: 20_000_000, last: 29_999_999 },
      dataDir: resolve('./data'),
      bucket: null,
      databaseUrl: null,
      databaseConnections: 10,
      reportsDatabaseUrl: null,
      previousSecret: null,
      secret: null,
      trustedProxies: [],
      exchangeRateUrl: null,
      weatherUrl: null,
      smtp: null,
      mailFrom: { name: 'Backdesk', address: 'no-reply@localhost' },
      imapBox: null,
      messaging: null,
      importLimits: { maxRows: 500, syncRows: 100 },
      webhookAllowCidrs: [],
      webhookRetrySchedule: [60, 600, 3600, 21_600],
    }
    expect(readConfig({})).toEqual(expected)
    expect(readConfig(Object.fromEntries(Object.values(VARIABLES).map(({ name }) => [name, ' '])))).toEqual(expected)
  })
  it('takes every variable', () => {
    const environment = {
      PORT: '0',
      HOST: '0.0.0.0',
      PUBLIC_URL: 'https://backdesk.example/cell//',
      LOG_LEVEL: 'warn',
      LOG_REQUESTS: 'true',
      METRICS_ADDRESS: '[::1]:9464',
      STOP_GRACE_S: '15',
      SHED_AFTER_MS: '0',
      CELL_REGION: 'tr',
      ACCOUNT_NUMBERS: '10100000-10199999',
      DATA_DIR: '/var/lib/backdesk',
      STORAGE_URL: 's3://KEY:a%2Fb@files/cell-1?region=eu-central-1',
      DATABASE_URL: 'postgresql://app@db/backdesk',
      DATABASE_CONNECTIONS: '500',
      REPORTS_DATABASE_URL: 'postgresql://app@replica/backdesk',
      SECRET,
      SECRET_PREVIOUS: FORMER_SECRET,
      TRUSTED_PROXIES: ' 10.0.0.0/8 , 2001:db8::1,',
      IMPORT_MAX_ROWS: '10000',
      IMPORT_SYNC_ROWS: '1',
      EXCHANGE_RATE_URL: 'https://rates.example/daily.xml?key=k/',
      WEATHER_URL: 'https://weather.example/open-meteo?apikey=k',
      SMTP_URL: 'smtp://backdesk%40agency.example:p%2Fw@smtp.example:2525?require_tls=true',
      MAIL_FROM: '"Backdesk" <mail@agency.example>',
      IMAP_URL: 'imaps://info%40agency.example:p%2Fw@imap.example/Gelen%20kutusu/Yeni',
      MESSAGING_URL: 'https://AC1:t%2Fk@api.twilio.com/?sms_from=%2B15005550006&whatsapp_from=whatsapp:%2B14155238886',
      WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8,::1',
      WEBHOOK_RETRY_SCHEDULE: '0, 1,2,604800',
    }
    expect(Object.keys(environment).toSorted()).toEqual(
      Object.values(VARIABLES)
        .map(({ name }) => name as string)
        .toSorted(),
    )
    const { trustedProxies, webhookAllowCidrs, ...config } = readConfig(environment)
    expect(config).toEqual({
      port: 0,
      host: '0.0.0.0',
      publicUrl: 'https://backdesk.example/cell',
      logLevel: 'warn',
      logRequests: true,
      metricsAddress: { host: '::1', port: 9464 },
      stopGraceS: 15,
      shedAfterMs: 0,
      region: 'tr',
      accountNumbers: { first: 10_100_000, last: 10_199_999 },
      dataDir: '/var/lib/backdesk',
      bucket: {
        key: 'KEY',
        secret: 'a/b',
        region: 'eu-central-1',
        url: 'https://files.s3.eu-central-1.amazonaws.com/cell-1',
      },
      databaseUrl: 'postgresql://app@db/backdesk',
      databaseConnections: 500,
      reportsDatabaseUrl: 'postgresql://app@replica/backdesk',
      previousSecret: FORMER_SECRET,
      secret: SECRET,
      exchangeRateUrl: 'https://rates.example/daily.xml?key=k/',
      weatherUrl: 'https://weather.example/open-meteo?apikey=k',
      smtp: {
        host: 'smtp.example',
        port: 2525,
        secure: false,
        requireTls: true,
        login: { user: 'backdesk@agency.example', password: 'p/w' },
      },
      mailFrom: { name: 'Backdesk', address: 'mail@agency.example' },
      imapBox: {
        host: 'imap.example',
        port: 993,
        secure: true,
        user: 'info@agency.example',
        password: 'p/w',
        folder: 'Gelen kutusu/Yeni',
      },
      messaging: {
        url: 'https://api.twilio.com',
        sid: 'AC1',
        token: 't/k',
        smsFrom: '+15005550006',
        whatsappFrom: '+14155238886',
      },
      importLimits: { maxRows: 10_000, syncRows: 1 },
      webhookRetrySchedule: [0, 1, 2, 604_800],
    })
    const written = (networks: readonly Network[]) => networks.map(([address, bits]) => `${address}/${bits}`)
    expect(written(trustedProxies)).toEqual(['10.0.0.0/8', '2001:db8::1/128'])
    expect(written(webhookAllowCidrs)).toEqual(['127.0.0.0/8', '::1/128'])
  })
  it.each([
    ['PORT', ['65536', '-1', '3000.5', '0x10', '1e3', 'http', '99999999999']],
    ['PUBLIC_URL', ['backdesk.example', 'ftp://backdesk.example', 'javascript:alert(1)', '//backdesk.example']],
    ['STORAGE_URL', ['https://files.example', 's3://files', 's3://KEY@files', 's3://KEY:SECRET@', 's3://K:S@b/../c']],
    ['LOG_LEVEL', ['loud', 'INFO', 'toString']],
    ['LOG_REQUESTS', ['yes', '1']],
    ['METRICS_ADDRESS', ['9464', 'localhost', 'localhost:65536', 'http://localhost:9464', '::1:9464']],
    ['STOP_GRACE_S', ['-1', '301', '5s']],
    ['SHED_AFTER_MS', ['-1', '60001', 'never']],
    ['CELL_REGION', ['us', 'EU']],
    ['ACCOUNT_NUMBERS', ['20000000', '20000001-20000000', '10000000-10000001', '29999999-30000000', '2e7-2e8']],
    ['DATABASE_URL', ['mysql://db', 'localhost', 'xpostgres://db']],
    ['DATABASE_CONNECTIONS', ['0', '501', 'many']],
    ['REPORTS_DATABASE_URL', ['mysql://db', 'replica']],
    ['SECRET', ['short', 'k'.repeat(SECRET_MINIMUM - 1)]],
    ['TRUSTED_PROXIES', ['10.0.0.0/33', 'proxy', '10.0.0.1;10.0.0.2', '*']],
    ['IMPORT_MAX_ROWS', ['0', '10001', '-5']],
    ['IMPORT_SYNC_ROWS', ['0', '10001', 'all']],
    ['WEBHOOK_ALLOW_CIDRS', ['10.0.0.0/33', 'localhost', '*']],
    ['WEBHOOK_RETRY_SCHEDULE', ['60', '60,600,3600', '1,2,3,4,5', '1,2,3,x', '1,2,3,-4', '1,2,3,604801', '1,,2,3']],
    ['WEATHER_URL', ['api.open-meteo.com', 'ftp://weather.example', 'https://user:word@weather.example']],
    [
      'SMTP_URL',
      [
        'smtp.example',
        'http://smtp.example',
        'smtp://',
        'smtp://smtp.example/in',
        'smtp://h?require_tls=yes',
        'smtp://h?x=1',
        'smtp://h%zz',
      ],
    ],
    ['MAIL_FROM', ['Backdesk', 'no-reply@', 'a@b@c', 'Backdesk <no reply@localhost>', '<>']],
    [
      'IMAP_URL',
      [
        'imap.example',
        'imaps://imap.example',
        'imaps://user@imap.example',
        'https://u:p@h',
        'imaps://u:%0d%0a@h',
        'imaps://u:p@h?x=1',
      ],
    ],
    [
      'MESSAGING_URL',
      [
        'https://api.twilio.com?sms_from=%2B15005550006',
        'https://AC1:token@api.twilio.com',
        'https://AC1:token@api.twilio.com?sms_from=+1500',
        'https://AC1:token@api.twilio.com?whatsapp_from=Backdesk',
        'https://AC1:token@api.twilio.com?sms_from=Backdesk&from=1',
        'ftp://AC1:token@api.twilio.com?sms_from=Backdesk',
      ],
    ],
    ['EXCHANGE_RATE_URL', ['rates.example', 'file:///rates.xml', 'https://user:word@rates.example/daily.xml']],
  ])('refuses %s with any of %j, by its name', (name, values) => {
    for (const value of values) {
      const found = problems({ SECRET, MAIL_FROM: 'mail@agency.example', PUBLIC_URL, [name]: value })
      expect(found).toMatch(new RegExp(`^  ${name} `, 'm'))
      expect(found.split('\n')).toHaveLength(2)
    }
  })
  it('names everything that is wrong in one error', () => {
    const wrong = { PORT: 'x', LOG_LEVEL: 'x', CELL_REGION: 'x', TRUSTED_PROXIES: 'x', IMPORT_MAX_ROWS: 'x' }
    const found = problems(wrong)
    for (const name of Object.keys(wrong)) expect(found).toContain(`  ${name} `)
    expect(found.split('\n')).toHaveLength(Object.keys(wrong).length + 1)
  })
  it('never repeats a secret or the address of a database, which holds a password', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{12,31}$/), (value) => {
        expect(
          problems({
            SECRET: value,
            DATABASE_URL: `mysql://app:${value}@db`,
            STORAGE_URL: `s3://k:${value}@`,
            SMTP_URL: `smtp://app:${value}@smtp.example/in`,
            IMAP_URL: `imap://app:${value}@imap.example?x=1`,
            MESSAGING_URL: `https://AC1:${value}@api.twilio.com`,
          }),
        ).not.toContain(value)
      }),
    )
  })
  it('requires a secret with a database server, and reports it once', () => {
    expect(problems({ DATABASE_URL: 'postgres://db' })).toMatch(/SECRET is required with DATABASE_URL/)
    expect(problems({ DATABASE_URL: 'postgres://db', SECRET: 'short' }).match(/SECRET/g)).toHaveLength(1)
    expect(problems({ DATABASE_URL: 'postgres://db', SECRET })).toBe('')
    expect(problems({ SECRET })).toBe('')
  })
  it('requires a sender address with a mail server', () => {
    expect(problems({ SMTP_URL: 'smtp://smtp.example' })).toMatch(/MAIL_FROM is required with SMTP_URL/)
    expect(problems({ SMTP_URL: 'smtp://smtp.example', MAIL_FROM: 'mail@agency.example', PUBLIC_URL })).toBe('')
  })
  it.each<Record<string, string>>([
    { SMTP_URL: 'smtp://smtp.example', MAIL_FROM: 'mail@agency.example' },
    { MESSAGING_URL: 'https://AC1:token@api.twilio.com?sms_from=Backdesk' },
  ])('requires a public URL if it sends links: %j', (sends) => {
    expect(problems(sends)).toMatch(/PUBLIC_URL is required/)
    expect(problems({ ...sends, PUBLIC_URL })).toBe('')
  })
  it('reads secrets from the file in NAME_FILE, and nothing else', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'backdesk-test-')), 'secret')
    writeFileSync(file, `${SECRET}\n`)
    expect(readConfig({ SECRET_FILE: file, PORT_FILE: file })).toMatchObject({ secret: SECRET, port: 3000 })
    expect(problems({ SECRET_FILE: file, SECRET })).toMatch(/SECRET and SECRET_FILE are both set/)
    expect(problems({ DATABASE_URL_FILE: '/nowhere', SECRET })).toMatch(/DATABASE_URL_FILE must name a readable file/)
    writeFileSync(file, '\n')
    expect(problems({ DATABASE_URL_FILE: file, SECRET })).toMatch(/DATABASE_URL_FILE names an empty file/)
    rmSync(file)
  })
  it('cannot be changed once it is read', () => {
    expect(Object.isFrozen(readConfig({}))).toBe(true)
  })
})
