import type { Template, TemplateKind } from './template-kinds.ts'

const SIGNED = `Sevgi ve saygılarımızla,
{{advisor.name}}
{{agency.name}}`

export const turkish: Readonly<Record<TemplateKind, Template>> = {
  payment_due: {
    subject: 'Ödeme hatırlatması: {{trip.title}}',
    body: `{{greeting}}

“{{trip.title}}” seyahatinizin kalan ödemesinin son günü yaklaşıyor.

Ödenecek tutar: {{balance.amount}}
Son ödeme tarihi: {{balance.due_on}}
Referans: {{trip.reference}}

Ödemenizi bu arada yaptıysanız teşekkür ederiz; lütfen bu e-postayı dikkate almayın. Sorularınız için bu e-postayı yanıtlamanız yeterli.

${SIGNED}`,
  },
  documents_due: {
    subject: 'Seyahat belgeleriniz: {{trip.title}}',
    body: `{{greeting}}

“{{trip.title}}” seyahatinize yaklaşık bir ay kaldı. Başlangıç tarihi: {{trip.start}}. Belgelerinizi gözden geçirmek için tam zamanı:

• Pasaport veya kimlik kartı: Geçerlilik süresi yeterli mi? Birçok ülke, dönüş tarihinden itibaren en az altı ay geçerlilik ister.
• Vize ve giriş formları: Tüm yolcular için hazır mı?
• İsimler: Rezervasyonlarınızda pasaporttaki gibi mi yazılmış?

Eksik bir şey varsa ya da emin değilseniz bu e-postayı yanıtlayın. Birlikte tamamlamak için hâlâ vaktimiz var.

${SIGNED}`,
  },
  pre_departure: {
    subject: 'Bir hafta kaldı: {{trip.title}}',
    body: `{{greeting}}

“{{trip.title}}” seyahatinize yalnızca bir hafta kaldı.

Tarihler: {{trip.dates}}
Gidilecek yerler: {{trip.destinations}}

İlk uçuşlarınız (yerel saatlerle):
{{flights.list}}

Pasaportunuzu, sigortanızı ve kartlarınızı hazır bulundurun; planınızda bir değişiklik olduysa bize haber verin. Aklınıza takılan her soru için buradayız.

${SIGNED}`,
  },
  online_check_in: {
    subject: 'Online check-in zamanı: {{trip.title}}',
    body: `{{greeting}}

Seyahatiniz yarın başlıyor. Çoğu hava yolunda online check-in açıldı; hava yolunun internet sitesinden veya uygulamasından yapabilirsiniz.

Uçuşlarınız (yerel saatlerle):
{{flights.list}}

Lütfen kalkıştan iki saat, uzun uçuşlarda üç saat önce havalimanında olun ve pasaportunuzu yanınızda bulundurun.

${SIGNED}`,
  },
  bon_voyage: {
    subject: 'İyi yolculuklar!',
    body: `{{greeting}}

Beklenen gün geldi: “{{trip.title}}” bugün başlıyor. Size harika bir seyahat diliyoruz.

Bugün ve yarınki uçuşlarınız (yerel saatlerle):
{{flights.list}}

Yolda bir aksilik olursa bu e-postayı yanıtlayın; seyahatiniz boyunca da yanınızdayız.

İyi yolculuklar!
{{advisor.name}}
{{agency.name}}`,
  },
  welcome_home: {
    subject: 'Evinize hoş geldiniz',
    body: `{{greeting}}

Evinize hoş geldiniz! “{{trip.title}}” umarız hayal ettiğiniz gibi geçmiştir.

Kaybolan bir bagaj, bir iade ya da fatura gibi halledilmesi gereken bir konu kaldıysa bu e-postayı yanıtlayın; biz ilgilenelim.

Bizi tercih ettiğiniz için teşekkür ederiz.

${SIGNED}`,
  },
  survey: {
    subject: '{{trip.title}} nasıldı?',
    body: `{{greeting}}

“{{trip.title}}” seyahatinizden yeni döndünüz. Nasıl geçti? Yanıtlarınız iki dakikanızı alır ve daha iyisini yapmamıza yardımcı olur.

{{survey.link}}

Teşekkür ederiz!
{{advisor.name}}
{{agency.name}}`,
  },
  survey_reminder: {
    subject: '{{trip.title}} için iki dakikanız var mı?',
    body: `{{greeting}}

Birkaç gün önce size “{{trip.title}}” seyahatinizin nasıl geçtiğini sormuştuk. İki dakikanızı ayırabilirseniz görüşünüzü duymayı hâlâ çok isteriz.

{{survey.link}}

Bir daha sormayacağız. Teşekkür ederiz!
{{advisor.name}}
{{agency.name}}`,
  },
  anniversary: {
    subject: 'Bir yıl önce: {{trip.title}}',
    body: `{{greeting}}

Hatırlıyor musunuz? Bir yıl önce “{{trip.title}}” seyahatindeydiniz.
O günler: {{trip.dates}}

Yeni bir yolculuk için içinizde bir istek varsa nereye gitmek istediğinizi bize yazmanız yeterli. Birlikte planlamak için sabırsızlanıyoruz.

${SIGNED}`,
  },
  rebook: {
    subject: 'Sırada neresi var?',
    body: `{{greeting}}

“{{trip.title}}” seyahatinizin üzerinden altı ay geçti. Yeni bir yolculuğu iple çekmenin tam zamanı.

Ne zaman yola çıkabileceğinizi ve neyi hayal ettiğinizi bize yazın; önerilerimizi hemen hazırlayalım.

${SIGNED}`,
  },
  birthday: {
    subject: 'Doğum gününüz kutlu olsun!',
    body: `{{greeting}}

Doğum gününüzü en içten dileklerimizle kutlar, güzel yolculuklarla dolu bir yıl dileriz.

Sevgilerimizle,
{{agency.name}}`,
  },
  passport_check: {
    subject: 'Pasaport kontrolü: {{trip.title}}',
    body: `{{greeting}}

“{{trip.title}}” ({{trip.reference}}) seyahatinin pasaportlarına bakılması gerekiyor.
Seyahat tarihleri: {{trip.dates}}

Pasaportu bilinmeyen yolcu sayısı: {{passports.missing}}
Süresi erken dolan pasaport sayısı: {{passports.expiring}}
Şu tarihe kadar geçerli olmalı: {{passports.needed_until}}

{{agency.name}}`,
  },
  task_due: {
    subject: 'Görev hatırlatması: {{task.subject}}',
    body: `{{greeting}}

Bir görevinizi hatırlatmak isteriz:

{{task.subject}}
Son tarih: {{task.due_at}}

{{agency.name}}`,
  },
  invitation: {
    subject: 'Davetiniz',
    body: `{{greeting}}

{{agency.name}} sizi arka ofisine kullanıcı olarak ekledi. Şifrenizi belirlemek için bu bağlantıyı 72 saat içinde açın:

{{invitation.link}}

Böyle bir davet beklemiyorsanız bu e-postayı dikkate almayın.

{{agency.name}}`,
  },
  password_reset: {
    subject: 'Yeni şifre belirleyin',
    body: `{{greeting}}

{{agency.name}} hesabınız için yeni bir şifre istendi. Belirlemek için bu bağlantıyı bir saat içinde açın:

{{reset.link}}

Bunu siz istemediyseniz bu e-postayı dikkate almayın: şifreniz olduğu gibi kalır.

{{agency.name}}`,
  },
  new_sign_in: {
    subject: 'Yeni oturum',
    body: `{{greeting}}

{{agency.name}} hesabınızda, daha önce kullanmadığınız bir cihazdan ya da ağdan oturum açıldı.

Zaman: {{sign_in.when}}
Cihaz: {{sign_in.device}}
Adres: {{sign_in.address}}

Bu sizseniz yapmanız gereken bir şey yok. Değilseniz şifrenizi değiştirin, diğer oturumlarınızı kapatın ve {{agency.name}} yöneticinize haber verin.`,
  },
  credentials_changed: {
    subject: 'Oturum açma bilgileriniz değişti',
    body: `{{greeting}}

{{change.what}}

Zaman: {{change.when}}
Adres: {{change.address}}

Bunu siz yapmadıysanız şifrenizi değiştirin, diğer oturumlarınızı kapatın ve {{agency.name}} yöneticinize haber verin.`,
  },
  email_change: {
    subject: 'Yeni e-posta adresinizi onaylayın',
    body: `{{greeting}}

{{agency.name}} hesabınızın e-posta adresi {{email_change.address}} olarak değiştirilecek. Değişikliği iki adresin de onaylaması gerekir. Bu bağlantıyı 24 saat içinde açın:

{{email_change.link}}

Bunu siz istemediyseniz bağlantıyı açmayın ve {{agency.name}} yöneticinize haber verin.`,
  },
}
