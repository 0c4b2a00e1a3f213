import { describe, expect, it } from 'vitest'
import { readUnsubscribe, unsubscribeUrl } from '../../src/features/communications/unsubscribe.ts'
import { readSurveyToken, surveyUrl } from '../../src/features/surveys/survey-address.ts'
import { accountSecretsOf } from '../../src/platform/account-secrets.ts'
import { signedTextWith } from '../../src/platform/signed-text.ts'

const ACCOUNT = 20_000_001
const secrets = accountSecretsOf('a secret')
/** One use for both, so that only the scope distinguishes them. */
const signed = signedTextWith(secrets, 'addresses')
const publicUrl = 'https://desk.example'
const nobody = async () => []
const lastPart = (address: string) => address.slice(address.lastIndexOf('/') + 1)

/** Links of a customer or a survey, as in sent mails. */
const ADDRESSES = {
  'of unsubscribing': {
    path: 'u',
    url: unsubscribeUrl({ publicUrl, unsubscribing: signed }, ACCOUNT, 'x'),
    read: readUnsubscribe,
    named: { account: ACCOUNT, customer: 'x' },
    scope: 'unsubscribe',
    before: 'bq7j8JAsbubj3vM9bZUe01siMjAwMDAwMDEiLCJ4Il0',
  },
  'of a survey': {
    path: 'f',
    url: surveyUrl({ publicUrl, surveying: signed }, { account: ACCOUNT, survey: 'x' }),
    read: readSurveyToken,
    named: { account: ACCOUNT, survey: 'x' },
    scope: 'survey',
    before: 'STI23REhqsdfP-PoRXx7MFsiMjAwMDAwMDEiLCJ4Il0',
  },
}

describe.each(Object.entries(ADDRESSES))('the address %s', (_, { path, url, read, named, scope, before }) => {
  it('names its record, and cannot be forged', async () => {
    expect(url).toMatch(new RegExp(`^https://desk\\.example/${path}/[\\w-]+$`))
    expect(await read(signed, lastPart(url), nobody)).toEqual(named)
    expect(await read(signedTextWith(accountSecretsOf('another'), 'addresses'), lastPart(url), nobody)).toBeNull()
  })
  it('is good still where an earlier version wrote it: it stands in mails', async () => {
    expect(await read(signed, before, nobody)).toEqual(named)
  })
  it('is invalid if a part is missing, or for the other kind', async () => {
    expect(await read(signed, signed.write(ACCOUNT, scope, [String(ACCOUNT)]), nobody)).toBeNull()
    for (const { url: other } of Object.values(ADDRESSES))
      if (other !== url) expect(await read(signed, lastPart(other), nobody)).toBeNull()
    expect(await read(signed, 'nonsense', nobody)).toBeNull()
  })
  it('is good where the account went', async () => {
    const there = accountSecretsOf('another')
    const formerOf = async (account: number) => [there.seal(secrets.of(account))]
    expect(await read(signedTextWith(there, 'addresses'), lastPart(url), formerOf)).toEqual(named)
  })
})
