import type { Template, TemplateKind } from './template-kinds.ts'

const SIGNED = `Kind regards,
{{advisor.name}}
{{agency.name}}`

export const english: Readonly<Record<TemplateKind, Template>> = {
  payment_due: {
    subject: 'Balance due soon: {{trip.title}}',
    body: `{{greeting}}

The balance of your trip “{{trip.title}}” is due soon.

To pay: {{balance.amount}}
Due by: {{balance.due_on}}
Reference: {{trip.reference}}

If you have paid in the meantime, thank you: please ignore this mail. If you have a question, just reply to it.

${SIGNED}`,
  },
  documents_due: {
    subject: 'Your travel documents for {{trip.title}}',
    body: `{{greeting}}

“{{trip.title}}” begins on {{trip.start}}, in about a month. This is a good moment to have a look at your documents:

• Passports or identity cards: are they valid long enough? Many countries ask for six months beyond the return.
• Visas and entry forms: does everybody who travels have them?
• Names: are they on your bookings exactly as in the passport?

If anything is missing, or you are not sure, reply to this mail. There is still time to sort it out together.

${SIGNED}`,
  },
  pre_departure: {
    subject: 'One week to go: {{trip.title}}',
    body: `{{greeting}}

In a week it begins: “{{trip.title}}”.

Dates: {{trip.dates}}
Destinations: {{trip.destinations}}

Your first flights, in local times:
{{flights.list}}

Have passports, insurance and cards at hand, and tell us if something has changed on your side. We are here for any last question.

${SIGNED}`,
  },
  online_check_in: {
    subject: 'Time to check in: {{trip.title}}',
    body: `{{greeting}}

Tomorrow it begins. Most airlines have opened online check-in by now; you find it on the airline’s website or in its app.

Your flights, in local times:
{{flights.list}}

Please be at the airport two hours before departure, three on long flights, and keep your passport at hand.

${SIGNED}`,
  },
  bon_voyage: {
    subject: 'Have a wonderful trip!',
    body: `{{greeting}}

Today is the day: “{{trip.title}}” begins. We wish you a wonderful journey.

Your flights today and tomorrow, in local times:
{{flights.list}}

If anything does not go as planned, reply to this mail. We look after you on the way as well.

Bon voyage!
{{advisor.name}}
{{agency.name}}`,
  },
  welcome_home: {
    subject: 'Welcome home',
    body: `{{greeting}}

Welcome home! We hope that “{{trip.title}}” was everything that you had wished for.

If something is left to settle, a lost bag, a refund, an invoice, reply to this mail and we will see to it.

Thank you for travelling with us.

${SIGNED}`,
  },
  survey: {
    subject: 'How was {{trip.title}}?',
    body: `{{greeting}}

You are just back from “{{trip.title}}”. How was it? Your answers take two minutes and help us to do even better.

{{survey.link}}

Thank you!
{{advisor.name}}
{{agency.name}}`,
  },
  survey_reminder: {
    subject: 'Two minutes for {{trip.title}}?',
    body: `{{greeting}}

A few days ago we asked how “{{trip.title}}” was. If you find two minutes, we would still love to hear from you.

{{survey.link}}

We will not ask again. Thank you!
{{advisor.name}}
{{agency.name}}`,
  },
  anniversary: {
    subject: 'A year ago: {{trip.title}}',
    body: `{{greeting}}

Do you remember? A year ago you were on “{{trip.title}}”.
Back then: {{trip.dates}}

If you feel like another journey, reply with a word about where you would like to go. We are looking forward to planning it with you.

${SIGNED}`,
  },
  rebook: {
    subject: 'Where to next?',
    body: `{{greeting}}

Half a year has gone by since “{{trip.title}}”. High time to have something to look forward to again.

Tell us when you could get away and what you dream of: reply to this mail, and you will have our ideas.

${SIGNED}`,
  },
  birthday: {
    subject: 'Happy birthday!',
    body: `{{greeting}}

All of us wish you a very happy birthday, and a year full of beautiful journeys.

Warm regards,
{{agency.name}}`,
  },
  passport_check: {
    subject: 'Check passports: {{trip.title}}',
    body: `{{greeting}}

Passports of “{{trip.title}}” ({{trip.reference}}) need a look.
Travel dates: {{trip.dates}}

Travellers whose passport is not known: {{passports.missing}}
Passports that expire too early: {{passports.expiring}}
They should be valid until: {{passports.needed_until}}

{{agency.name}}`,
  },
  task_due: {
    subject: 'Task due: {{task.subject}}',
    body: `{{greeting}}

This is your reminder of a task:

{{task.subject}}
Due: {{task.due_at}}

{{agency.name}}`,
  },
  invitation: {
    subject: 'Your invitation',
    body: `{{greeting}}

{{agency.name}} has made you a user of its back office. Open this link within 72 hours to choose your password:

{{invitation.link}}

If you did not expect this invitation, ignore this mail.

{{agency.name}}`,
  },
  password_reset: {
    subject: 'Choose a new password',
    body: `{{greeting}}

Somebody asked for a new password for your seat at {{agency.name}}. Open this link within an hour to choose it:

{{reset.link}}

If you did not ask for it, ignore this mail: your password stays as it is.

{{agency.name}}`,
  },
  new_sign_in: {
    subject: 'New sign-in',
    body: `{{greeting}}

Somebody signed in to your seat at {{agency.name}} from a device or a network that you had not used before.

When: {{sign_in.when}}
Device: {{sign_in.device}}
Address: {{sign_in.address}}

If this was you, there is nothing to do. If not, change your password, end your other sessions, and tell whoever manages people at {{agency.name}}.`,
  },
  credentials_changed: {
    subject: 'How you sign in has changed',
    body: `{{greeting}}

{{change.what}}

When: {{change.when}}
Address: {{change.address}}

If this was not you, change your password, end your other sessions, and tell whoever manages people at {{agency.name}}.`,
  },
  email_change: {
    subject: 'Confirm your new e-mail address',
    body: `{{greeting}}

The e-mail address of your seat at {{agency.name}} is to become {{email_change.address}}. Both addresses must confirm it. Open this link within 24 hours:

{{email_change.link}}

If you did not ask for this, do not open the link, and tell whoever manages people at {{agency.name}}.`,
  },
}
