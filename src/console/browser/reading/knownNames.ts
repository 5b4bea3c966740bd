import { bare } from '../folded.ts';

/**
 * Common names of columns, without accents and in lower case, language by language. A word that
 * several languages share stands at the first one.
 */
const names = `
city town place location region country state county district area zip postcode postalcode
street address name firstname lastname company business customer brand product service category
type person contact owner author title headline heading subheading subtitle lead intro teaser
description summary body text content copy paragraph keyword keywords tags phone telephone tel
mobile fax email mail website url link slug path page price cost fee rate discount currency date
day time year month hours open opening openinghours image picture photo alt imagealt video icon
logo button cta language lang id no nr number sku code status note notes comment comments quote
testimonial review rating latitude longitude lat lng lon template team faq question answer
metatitle metadescription seotitle
by sted poststed postnummer adresse gate fylke kommune land navn fornavn etternavn firma bedrift
kunde produkt tjeneste kategori overskrift tittel undertittel ingress beskrivelse tekst innhold
telefon tlf mobil epost epostadresse nettside lenke pris dato tid apningstider bilde sprak
merknad
stad ort plats postort postadress gata lan namn foretag kund tjanst rubrik underrubrik
beskrivning innehall lank datum oppettider bild telefonnummer priser sprog billede virksomhed
ydelse
stadt plz postleitzahl strasse bundesland vorname nachname unternehmen leistung dienstleistung
uberschrift untertitel titel beschreibung inhalt handy webseite preis kosten uhrzeit
offnungszeiten schaltflache sprache bemerkung schlagworte
ville codepostal rue pays nom prenom societe entreprise client produit titre soustitre accroche
texte contenu courriel siteweb lien prix tarif heure horaires bouton langue remarque
ciudad localidad provincia pais calle direccion codigopostal nombre apellido empresa cliente
producto servicio titulo subtitulo entradilla descripcion texto contenido telefono movil correo
correoelectronico web enlace precio fecha hora horario imagen foto boton idioma nota
cidade localidade distrito morada rua nome apelido produto servico descricao conteudo telemovel
correio ligacao preco data imagem botao
citta localita regione paese via indirizzo cap cognome azienda prodotto servizio titolo
sottotitolo descrizione testo contenuto cellulare sito collegamento prezzo orario orari immagine
pulsante lingua
plaats woonplaats provincie straat naam voornaam achternaam bedrijf klant dienst kop ondertitel
omschrijving beschrijving inhoud telefoon telefoonnummer prijs tijd openingstijden afbeelding
knop taal
miasto miejscowosc wojewodztwo ulica kodpocztowy kraj imie nazwisko nazwa klient usluga naglowek
tytul podtytul opis tresc cena godziny obraz zdjecie przycisk jezyk adres
mesto obec ulice psc zeme jmeno prijmeni nazev spolecnost zakaznik vyrobek sluzba nadpis titulek
popis obsah obrazek tlacitko jazyk
kaupunki paikkakunta osoite postinumero katu maa nimi etunimi sukunimi yritys asiakas tuote
palvelu otsikko kuvaus teksti sisalto puhelin sahkoposti hinta paiva aika kuva kieli
varos megye orszag cim nev ceg termek szolgaltatas leiras szoveg telefonszam ar kep nyelv
oras judet tara adresa nume produs serviciu titlu descriere pret imagine limba
sehir ilce ulke ad soyad isim sirket urun hizmet baslik aciklama metin icerik eposta fiyat tarih
saat resim gorsel dil
город адрес улица регион страна имя фамилия название компания клиент товар услуга заголовок
описание текст телефон почта сайт ссылка цена дата время фото картинка язык
місто адреса вулиця область країна назва послуга опис ціна мова
πολη διευθυνση ονομα τιτλος περιγραφη τηλεφωνο τιμη
都市 市 住所 名前 会社 見出し タイトル 説明 電話 電話番号 価格 画像 城市 地址 名称 标题 標題 描述 电话 价格 價格 도시 주소 이름 제목 설명 전화 가격
`;

const plain = (text: string) =>
  bare(text.slice(0, 60))
    .replaceAll('ø', 'o')
    .replaceAll('ł', 'l')
    .replaceAll('ı', 'i')
    .replaceAll('æ', 'ae')
    .replaceAll('ß', 'ss');

const known = new Set(names.split(/\s+/).filter(Boolean).map(plain));

/**
 * Whether a cell is a common name of a column: `Headline 2`, `phone_number`, `E-mail`,
 * `Überschrift`.
 */
export function isKnownName(cell: string): boolean {
  if (cell.length > 40) return false;
  const words = cell.split(/[\s_/–-]+/).filter(Boolean);
  const isKnown = (text: string) =>
    known.has(plain(text)) || known.has(plain(text).replace(/\d{1,2}$/, ''));
  return isKnown(cell) || (words.length === 2 && isKnown(words[1]!));
}
