const words = (text: string): readonly string[] => text.trim().normalize('NFC').split(/\s+/)

/** Words of other languages that multiply the number before them. A word that is also English, such as `miles`, is not listed. */
const spaced = new Set(
  words(`
    dutzend docena docenas douzaine douzaines dozzina dozzine dúzia dúzias dozijn tucet tucat tuzin tuzinów düzine lusin
    dussin dusin tylft honderd hundert hundre hundra centaines cientos centinaia centinaio ratus puluh trăm tsd tys tis
    tysiąc tysiące tysięcy tisíc tisíce tisíců tisuća tisuće hiljada hiljade tusen tusind tusinde duizend mila migliaia
    milliers millier milhares millares tuhat tuhatta ezer mii bin ribu rb nghìn ngàn elfu laki miljoen miljoner miljon
    millioner milionów miliony milion milionů milionu milhão millió miljoona miljoonaa milioane milyon juta jt triệu
    miliard miliardy miliardów miljard miljarder milliarder milliárd miliarde miliarda milyar milyard miliar miliardi
    miliardo mld mlrd mia tỷ tỉ bilhão bilhões bilioni triliun billón billones billionen biljoen
    сотня сотни сотен сто дюжина дюжины дюжин десяток десятка десятков тисяча тисячі тисяч тис мільйон мільйона мільйони
    мільйонів мільярд мільярди мільярдів хиляда хиляди хиљада хиљаде милиона милион милиард милиарда триллион триллиона
    триллионов трлн χιλιάδα χιλιάδες χιλ εκατομμύριο εκατομμύρια εκατ δισεκατομμύριο δισεκατομμύρια δισ δωδεκάδα δωδεκάδες
    ألف آلاف الف الاف ألفا ألفاً مليون ملايين مليونا مليونًا مليار مليارات بليون تريليون مئة مائة مئات مية دزينة درزن
    هزار میلیون میلیارد هزارتا صد ہزار لاکھ کروڑ ارب درجن سو
    אלף אלפים אלפי מיליון מיליונים מיליוני מיליארד מיליארדים מאה מאות תריסר תריסרים
    हज़ार हजार हज़ारों लाख करोड़ करोड सौ अरब खरब दर्जन शंभर सय कोटी হাজার লাখ লক্ষ কোটি শত শো ডজন
    ਹਜ਼ਾਰ ਹਜਾਰ ਲੱਖ ਕਰੋੜ હજાર લાખ કરોડ ହଜାର ଲକ୍ଷ କୋଟି ஆயிரம் லட்சம் கோடி நூறு டஜன்
    వేలు వేల వెయ్యి లక్ష లక్షలు లక్షల కోటి కోట్లు కోట్ల వంద వందలు వందల డజను డజన్లు డజన్ల
    ಸಾವಿರ ಲಕ್ಷ ಕೋಟಿ ನೂರು ആയിരം ലക്ഷം കോടി නූරු දහස් දහසක් ලක්ෂ මිලියන ሺህ ሺ ሚሊዮን ቢሊዮን
    ათასი მილიონი հազար միլիոն мың миллионов минг
  `),
)

/** The same in scripts that write the next word without a space: `5ダース`, `5ล้านบาท`, `5割`, `2十`. */
const joined = new RegExp(
  `^(?:${words('ダース 割 打 成 十 零 〇 百 千 万 萬 億 亿 兆 다스 십 백 천 만 억 조 สิบ ร้อย พัน หมื่น แสน ล้าน โหล ພັນ ລ້ານ ແສນ ពាន់ លាន ထောင် သောင်း သိန်း သန်း').join('|')})`,
  'u',
)

/** Units that begin with a sign of magnitude: 千克 is a kilogram, 조각 a piece. */
const units = /^(?:千[克米瓦卡赫帕]|조각|만큼)/u

/** Whether a word is a unit, though it begins with a sign of magnitude. */
export const isUnitOfSign = (word: string): boolean => units.test(word)

/** Whether a word behind a number makes another number of it in a language other than English, such as `triệu` or `5個半`. */
export function isForeignMagnitude(word: string, touches: boolean): boolean {
  const written = word.toLowerCase().normalize('NFC')
  if (isUnitOfSign(written)) return false
  const half = touches ? /[半반]$/u : /^[半반]$/u
  return spaced.has(written) || joined.test(written) || half.test(written) || /分之/.test(written)
}

const numerals = '一二三四五六七八九十百千万萬億亿兆两零〇'
const endsInNumeral = new RegExp(`(?:分之|[${numerals}][点點]?)$`, 'u')
const isNumeral = new RegExp(`^[${numerals}]+$`, 'u')

/** Whether a word before a number ends in a numeral of Chinese characters: `十2`, `三分之1`. Behind a space the whole word must be one: `四 2`. */
export const isForeignNumeral = (word: string, touches: boolean): boolean =>
  (touches ? endsInNumeral : isNumeral).test(word)
