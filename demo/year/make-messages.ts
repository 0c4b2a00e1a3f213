import { randomUUIDv7 } from 'node:crypto'
import type { AccountTx } from '../../src/platform/db/account-tx.ts'
import * as pg from '../../src/platform/db/pg-types.ts'
import { statement } from '../../src/platform/db/statement.ts'

/** A message exchanged with a customer some hours ago; `answers` is the index of the message that it answers. */
type PastMessageText = {
  readonly customer: number
  readonly hoursAgo: number
  readonly direction: 'inbound' | 'outbound' | 'internal'
  readonly channel: 'email' | 'sms' | 'whatsapp' | 'phone' | 'meeting'
  readonly subject?: string
  readonly text: string
  readonly answers?: number
  readonly read?: true
}

const MESSAGE_TEXTS: readonly PastMessageText[] = [
  {
    customer: 1,
    hoursAgo: 220,
    direction: 'inbound',
    channel: 'email',
    subject: 'Roma turu hakkında',
    read: true,
    text: 'Merhaba,\n\nMayıs sonunda eşimle Roma’ya gitmek istiyoruz. Dört gece, merkezde bir otel ve direkt uçuş olursa seviniriz. Fiyat alabilir miyim?\n\nTeşekkürler',
  },
  {
    customer: 1,
    hoursAgo: 216,
    direction: 'outbound',
    channel: 'email',
    subject: 'Re: Roma turu hakkında',
    answers: 0,
    text: 'Merhaba,\n\nİstanbul – Roma direkt uçuş ve Termini yakınında dört gece kahvaltılı konaklama için iki seçenek hazırladım. Tarihleriniz kesinleşince yerleri opsiyona alabilirim.\n\nSevgilerle',
  },
  {
    customer: 1,
    hoursAgo: 30,
    direction: 'inbound',
    channel: 'email',
    subject: 'Re: Roma turu hakkında',
    answers: 1,
    text: 'İlk seçenek bize uygun. Cuma sabahı gidip salı akşamı dönebilir miyiz?',
  },
  {
    customer: 2,
    hoursAgo: 150,
    direction: 'internal',
    channel: 'phone',
    subject: 'Vize evrakı',
    text: 'Aradı: konsolosluk randevusu ayın 12’sinde. Seyahat sigortası poliçesini e-posta ile istedi.',
  },
  {
    customer: 2,
    hoursAgo: 149,
    direction: 'outbound',
    channel: 'sms',
    text: 'Seyahat sigortanız hazır, poliçe e-posta adresinize gönderildi. İyi yolculuklar dileriz.',
  },
  {
    customer: 3,
    hoursAgo: 74,
    direction: 'inbound',
    channel: 'whatsapp',
    read: true,
    text: 'Transfer şoförünün numarasını alabilir miyim? Uçak 20 dakika erken iniyor.',
  },
  {
    customer: 3,
    hoursAgo: 73,
    direction: 'outbound',
    channel: 'whatsapp',
    answers: 5,
    text: 'Elbette. Şoförümüz uçuşu takip ediyor, çıkışta adınız yazılı tabelayla bekleyecek.',
  },
  {
    customer: 4,
    hoursAgo: 52,
    direction: 'internal',
    channel: 'meeting',
    subject: 'Bayi toplantısı 2027',
    text: 'Ofiste görüşüldü: 45 kişi, Antalya, iki gece, gala yemeği. Üç otelden teklif istenecek.',
  },
  {
    customer: 5,
    hoursAgo: 27,
    direction: 'inbound',
    channel: 'email',
    subject: 'Invoice for the Izmir stay',
    text: 'Hello,\n\ncould you please send the invoice with our new address? The tax office has not changed.\n\nKind regards',
  },
  {
    customer: 6,
    hoursAgo: 9,
    direction: 'inbound',
    channel: 'whatsapp',
    text: 'Çocuk için bebek yatağı istemiştik, otele iletildi mi?',
  },
  {
    customer: 7,
    hoursAgo: 6,
    direction: 'outbound',
    channel: 'email',
    subject: 'Uçuş saatiniz değişti',
    text: 'Merhaba,\n\nhavayolu dönüş uçuşunuzu 35 dakika ileri aldı. Aktarmanız etkilenmiyor, yeni saatleri aşağıda bulabilirsiniz: kalkış 18.25, varış 21.40.\n\nSevgilerle',
  },
  {
    customer: 8,
    hoursAgo: 2,
    direction: 'inbound',
    channel: 'email',
    subject: 'Pasaport fotokopileri',
    text: 'Merhaba, dördümüzün pasaport fotokopilerini akşam göndereceğim. Küçük oğlumunki yenileniyor, sorun olur mu?',
  },
]
const STATUS = { inbound: 'received', outbound: 'delivered', internal: 'recorded' } as const

const keep = statement(
  { account: pg.integer, messages: pg.jsonText },
  {},
  `
  insert into communications (account_id, id, company_id, customer_id, direction, channel, status, subject, body_plain, thread_id,
    in_reply_to, from_address, to_addresses, author_id, sent_at, delivered_at, read_at, created_at, updated_at)
  select c.account_id, m.id, c.company_id, c.id, m.direction, m.channel, m.status, m.subject, m.text, m.thread, m.answers,
    case when m.direction = 'inbound' then a.address end,
    case when m.direction = 'outbound' then array[a.address] else '{}' end,
    case when m.direction <> 'inbound' then o.owner_id end, case when m.direction = 'outbound' then t.at end,
    case when m.direction = 'outbound' then t.at end, case when m.read then t.at end, t.at, t.at
  from json_to_recordset($messages::json) as m(id uuid, customer integer, "hoursAgo" integer, direction text, channel text, status text,
      subject text, text text, thread uuid, answers uuid, read boolean)
    join (select c.*, row_number() over (order by c.external_id) as nth from customers c
      where c.account_id = $account and c.email is not null and c.phone is not null) c on c.nth = m.customer
    join accounts o on o.account_id = c.account_id
    cross join lateral (select case when m.channel = 'email' then c.email else c.phone end as address) a
    cross join lateral (select now() - m."hoursAgo" * interval '1 hour' as at) t`,
)

/** Fills the inbox of the demo agency. Nothing is sent. */
export function makeMessages(tx: AccountTx): void {
  const ids = MESSAGE_TEXTS.map(() => randomUUIDv7())
  const first = (nth: number): number =>
    MESSAGE_TEXTS[nth]?.answers === undefined ? nth : first(MESSAGE_TEXTS[nth].answers)
  const messages = MESSAGE_TEXTS.map(({ answers, ...message }, nth) => ({
    ...message,
    id: ids[nth],
    status: STATUS[message.direction],
    thread: ids[first(nth)],
    answers: answers === undefined ? null : ids[answers],
  }))
  tx.later(keep, { messages: JSON.stringify(messages) })
}
