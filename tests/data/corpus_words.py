"""The words that make_tokenizer.py writes its training text with.

All lists were written for this project. English comes from a list of common words and from stems with affixes; other
languages come from short lists, enough for the trainer to find their letters, frequent syllables and some whole words.
"""

COMMON = """
the of and to in a is that for it as was with be by on not he his but at are this have from or had an they which one you
were all her she there would their we him been has when who will no more if out so up said what its about than into them
can only other time new some could these two may first then do any like my now over such our man me even most made after
also did many off before must well back through years much where your way down should because long each just state people
those too mister how little good world make very year still see own work men day get here old life both between being
under three never know same last another while us might great go come since against right came take used himself few house
use place during high without again home around small however found part school thought went say general once upon war
every left until always away something fact though water less public put think almost hand enough far took head yet
government system set better told nothing night end why called eyes find going look asked later point knew next program
city business group toward young days let room word keep turn face course open hold line side kind seem given order four
free form large door money music paper light story power field level whole become country change child office table
number letter river mountain garden window kitchen street market summer winter spring autumn morning evening weather
letter bread butter sugar salt apple orange lemon coffee tea milk honey pepper onion potato tomato cheese chicken fish
red green blue yellow black white brown grey purple silver golden bright dark quick slow heavy soft hard warm cold fresh
happy sad angry quiet loud simple strange clever brave gentle proud honest careful ready early late near common rare
walk run jump swim write read speak listen watch carry bring build break catch choose climb cook count cover cross dance
draw dream drink drive eat enter explain fall feel fight fill follow forget gather give grow hear help hide hope learn
leave lift live lose love measure meet miss move need offer pass pay plan play point pull push reach rest return ring
rise sail sell send serve shake share shine shut sing sit sleep smile stand start stay stop study teach tell thank touch
travel try turn visit wait wake want wash wear win wish wonder father mother brother sister son daughter uncle aunt
cousin friend neighbour doctor nurse teacher lawyer farmer baker painter writer singer driver pilot sailor soldier king
queen prince village town bridge castle church tower harbour island ocean forest desert valley hill lake beach stone
sand grass flower leaf tree root seed branch bird horse dog cat cow sheep goat pig duck goose mouse rabbit bear wolf fox
lion tiger elephant monkey snake frog bee ant spider butterfly car train bus bicycle plane ship boat engine wheel clock
mirror lamp chair bed wall floor roof stair key lock box bag coat shirt shoe hat glove ring watch camera radio phone
computer screen keyboard button cable network server client request response message error warning value index array
object string integer number boolean null true false default option parameter argument function method class module
package version release update install remove create delete insert select where group order limit offset query table
column record file folder path name type size length width height weight color price amount total count average minimum
maximum date time hour minute second week month today tomorrow yesterday january february march april june july august
september october november december monday tuesday wednesday thursday friday saturday sunday user account password
email address street zip code city region country language title author editor reader summary description content image
video audio document report invoice payment customer product item cart discount shipping status active pending complete
token model prompt answer question tool call result input output search filter sort page next previous first last
list map set item tags data info test self print import return const string struct func text body header cookie config host
weather location forecast celsius fahrenheit currency dollar euro search query calculator expression book flight hotel
temperature pressure speed distance energy voltage current signal sensor latitude longitude altitude direction degree
""".split()

PREFIXES = """
un re in im dis en em non over under mis sub pre inter fore de trans super semi anti mid out up down counter extra hyper
micro mini multi neo para poly post pro pseudo auto bi co contra ex infra intra macro mono omni tele tri ultra
""".split()

STEMS = """
act form port struct dict scrib spect press tract duct ject mit pend pos rupt sent serv sign sist solv spir tain tend
vers vert vis voc volv cap ced cept cid claim clud cogn cord corp cred cur cycl dem derm dur fact fer fid fin flect flor
fluct flu fort frag fract fug funct gen geo gest grad graph grat gress hab herb hom hydr jud junct jur labor lect leg lev
liber loc log loqu luc lum magn man mand mar mater mem ment merg meter migr min miss mob mon mor mort mot mov mut nat nav
neg norm not nov numer oper opt ord organ pac pan par past path ped pel per phil phon phot plac plen plic pol pon popul
prim prob psych puls punct quer quest quir radi reg respond rid rog sanct sci sect sed sequ sim sol son soph spond stat
stell stim stru suad sum surg tact techn temp tent termin terr test text therm tim tomb ton tort tox trib tum turb typ urb
vac val van veh ven ventil ver via vict vid vinc vir vit viv vol zo
art base block board call card care cell center chain charge check clear close cloud coach coast cost craft cream crowd
deep design drop edge event fair fame fault field flash flight force frame front glass grace grain grand grant guard guest
guide habit heart horse ideal image issue judge label layer lease light limit local logic lower lucky major match merit
metal model moral motor mount noise north novel nurse ocean order other paint panel party patch peace phase phone photo
piece pilot pitch plain plane plant plate point pound power price pride prime print prior prize proof pulse queen quick
quiet radio raise range rapid ratio reach ready refer reply right rival river rough round route royal rural scale scene
scope score sense serve seven shape share sharp sheet shelf shell shift shock shoot short sight skill sleep slice smart
smoke solid solve sound south space spare speak speed spend spirit split sport staff stage stake stand start state steam
steel stick stock stone store storm story strip study stuff style sugar suite super sweet table taste teach theme theory
thick thing think throw title topic total touch tower track trade train treat trend trial trust truth twice union unit
value video visit vital voice waste watch water wheel whole wide woman world worth write wrong yield young youth
""".split()

SUFFIXES = """
s ed ing er or tion sion ation ition ment ness less ful ly able ible al ial ic ical ity ive ative ous ious ism ist ance
ence ant ent ary ery ory age ate ify ize ise en ward wise ship hood dom ish like some ure ures ers ors ings tions ments
ities ists ances ences ates ated ating ator ators ized izing ization ically fully lessly ability ibility
""".split()

LANGUAGES = {
    "de": """der die das und ist nicht ein eine mit von auf für sich den dem zu wird über unter zwischen Straße größer
        können müssen würde Haus Wasser Zeit Jahr Mensch Arbeit schön heute morgen gestern Gesellschaft Möglichkeit
        Entwicklung Verantwortung Geschwindigkeit Übersetzung natürlich eigentlich vielleicht""",
    "fr": """le la les un une des et est que qui dans pour avec sur pas plus être avoir été où déjà très après même
        français école maison garçon fenêtre aujourd'hui liberté égalité possibilité développement grâce nécessaire
        cœur œuvre leçon bientôt peut-être""",
    "es": """el la los las un una y que en de por para con no sí está más también año niño mañana corazón español ciudad
        libertad información educación desarrollo después entonces siempre nunca todavía ¿cómo? ¡hola! pequeño""",
    "pt": """o a os as um uma e que em de por para com não é mais também ano coração português cidade informação
        educação desenvolvimento depois então sempre nunca ainda você avó pão mãe""",
    "it": """il lo la gli le un una e che di in per con non è più anche anno cuore città libertà informazione perché
        così dopo allora sempre mai ancora giù università""",
    "pl": """i w nie na się że z do to jest jak ale po co tak za od już czy rok człowiek życie miasto książka dziękuję
        proszę świat źródło łódź żółty ćwiczenie wiadomość""",
    "cs": """a v ne na se že je to jak ale po co tak za od už rok člověk život město kniha děkuji prosím svět řeka
        příští žlutý čtvrtek zpráva""",
    "tr": """ve bir bu için ile değil daha çok gibi olan kadar sonra önce yıl insan hayat şehir kitap teşekkür lütfen
        dünya ağaç çiçek güneş özgürlük""",
    "vi": """và là của có không được cho một người trong này với các đã những để khi năm nước thành phố sách cảm ơn xin
        thế giới ngôn ngữ học sinh""",
    "ru": """и в не на что он с как это по но они мы вы год человек жизнь город книга спасибо пожалуйста мир время слово
        работа вопрос ответ система данные информация развитие возможность который потому сегодня завтра""",
    "uk": """і в не на що він з як це по але вони ми ви рік людина життя місто книга дякую будь ласка світ їжа єдність
        ґрунт незалежність""",
    "el": """και το να του η της με που την από για είναι δεν στο θα χρόνος άνθρωπος ζωή πόλη βιβλίο ευχαριστώ κόσμος
        γλώσσα ελευθερία σήμερα αύριο""",
    "ar": """في من على إلى عن مع هذا هذه التي الذي كان لا ما أن قد سنة إنسان حياة مدينة كتاب شكرا عالم لغة حرية اليوم
        غدا معلومات""",
    "he": """של את על לא זה אני הוא היא עם כל יש אין שנה אדם חיים עיר ספר תודה עולם שפה חופש היום מחר מידע""",
    "fa": """و در به از که این است را با برای یک سال انسان زندگی شهر کتاب سپاس جهان زبان آزادی امروز فردا گفت می‌شود""",
    "hi": """और के में है की से को का नहीं यह पर एक साल मनुष्य जीवन शहर किताब धन्यवाद दुनिया भाषा स्वतंत्रता आज कल जानकारी""",
    "bn": """এবং এর মধ্যে হয় না এই একটি বছর মানুষ জীবন শহর বই ধন্যবাদ পৃথিবী ভাষা স্বাধীনতা আজ আগামীকাল""",
    "ta": """மற்றும் இல் ஒரு இந்த இல்லை ஆண்டு மனிதன் வாழ்க்கை நகரம் புத்தகம் நன்றி உலகம் மொழி சுதந்திரம் இன்று நாளை""",
    "th": """และ ใน ของ ที่ ไม่ เป็น มี การ ปี คน ชีวิต เมือง หนังสือ ขอบคุณ โลก ภาษา เสรีภาพ วันนี้ พรุ่งนี้""",
    "ka": """და არის რომ ეს არა წელი ადამიანი ცხოვრება ქალაქი წიგნი მადლობა მსოფლიო ენა თავისუფლება დღეს ხვალ""",
    "hy": """և է որ այս ոչ տարի մարդ կյանք քաղաք գիրք շնորհակալություն աշխարհ լեզու ազատություն այսօր վաղը""",
    "ko": """그리고 는 을 를 이 가 에서 으로 하다 있다 없다 아니다 년 사람 인생 도시 책 감사합니다 세계 언어 자유 오늘 내일 정보 시간
        안녕하세요 대한민국 서울 학교 선생님""",
    "ja": """の に は を た が で て と し れ さ ある いる も する から な こと として い や など なっ ない この その 年 人 人生
        都市 本 ありがとう 世界 言語 自由 今日 明日 情報 時間 こんにちは 日本 東京 学校 先生 コンピュータ データ システム""",
    "zh": """的 一 是 不 了 人 我 在 有 他 这 中 大 来 上 国 个 到 说 们 为 子 和 你 地 出 道 也 时 年 得 就 那 要 下 以 生 会
        自 着 去 之 过 家 学 对 可 她 里 后 小 么 心 多 天 而 能 好 都 然 没 日 于 起 还 发 成 事 只 作 当 想 看 文 无 开 手
        十 用 主 行 方 又 如 前 所 本 见 经 头 面 公 同 三 已 老 从 动 两 长 知 民 样 现 分 将 外 但 身 些 与 高 意 进 把 法
        中国 北京 上海 世界 语言 自由 今天 明天 信息 时间 谢谢 你好 学校 老师 数据 系统 计算机""",
}

# Ranges of letters of further scripts, from which syllable-like words are drawn.
SCRIPTS = [
    (0x0E81, 0x0EAE), (0x1000, 0x102A), (0x1200, 0x1248), (0x1780, 0x17B3), (0x0A05, 0x0A39), (0x0A85, 0x0AB9),
    (0x0B05, 0x0B39), (0x0C05, 0x0C39), (0x0C85, 0x0CB9), (0x0D05, 0x0D39), (0x13A0, 0x13F4), (0x1401, 0x1420),
    (0x3041, 0x3096), (0x30A1, 0x30FA), (0x4E00, 0x5200), (0xAC00, 0xB000), (0x10A0, 0x10C5), (0x0370, 0x03FF),
]  # fmt: skip

EMOJI = [
    *(chr(c) for c in range(0x1F600, 0x1F645)),
    *(chr(c) for c in range(0x1F300, 0x1F321)),
    *(chr(c) for c in range(0x1F400, 0x1F43F)),
    *(chr(c) for c in range(0x1F680, 0x1F6C0)),
    *(chr(c) for c in range(0x1F910, 0x1F930)),
    "❤️", "✅", "❌", "⭐", "⚠️", "☀️", "☁️", "✨", "👍🏽", "👩‍💻", "👨‍👩‍👧", "🏳️‍🌈", "🇩🇪", "🇫🇷", "🇯🇵", "🇧🇷",
]  # fmt: skip

SYMBOLS = list("°±×÷≤≥≠≈∞∑∏√∫∂∆πΩµ§¶†‡•…–—“”‘’«»„€£¥¢₹₽©®™←→↑↓↔⇒⇔∀∃∈∉⊂⊆∪∩∧∨¬½¼¾²³¹⁰₀₁₂│─┌┐└┘├┤█░")
