<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>AboutDialog</name>
    <message>
        <source>About Second Glance</source>
        <translation>Über Second Glance</translation>
    </message>
    <message>
        <source>Licences</source>
        <translation>Lizenzen</translation>
    </message>
    <message>
        <source>Whose licence is shown</source>
        <translation>Wessen Lizenz gezeigt wird</translation>
    </message>
    <message>
        <source>What it is built on</source>
        <translation>Worauf es aufbaut</translation>
    </message>
    <message>
        <source>Version {version}, licensed under {licence}</source>
        <translation>Version {version}, lizenziert unter {licence}</translation>
    </message>
    <message>
        <source>Chat with pictures on your own computer, and see what was reused.</source>
        <translation>Auf dem eigenen Rechner über Bilder chatten und sehen, was wiederverwendet wurde.</translation>
    </message>
    <message>
        <source>Copy the versions</source>
        <translation>Versionen kopieren</translation>
    </message>
</context>
<context>
    <name>Actions</name>
    <message>
        <source>New chat</source>
        <translation>Neuer Chat</translation>
    </message>
    <message>
        <source>New incognito chat</source>
        <translation>Neuer Inkognito-Chat</translation>
    </message>
    <message>
        <source>Add images…</source>
        <translation>Bilder hinzufügen…</translation>
    </message>
    <message>
        <source>Capture screen…</source>
        <translation>Bildschirm aufnehmen…</translation>
    </message>
    <message>
        <source>Pictures of this chat…</source>
        <translation>Bilder dieses Chats…</translation>
    </message>
    <message>
        <source>Export chat…</source>
        <translation>Chat exportieren…</translation>
    </message>
    <message>
        <source>Import chat…</source>
        <translation>Chat importieren…</translation>
    </message>
    <message>
        <source>Print…</source>
        <translation>Drucken…</translation>
    </message>
    <message>
        <source>Find in chat</source>
        <translation>Im Chat suchen</translation>
    </message>
    <message>
        <source>Search chats</source>
        <translation>Chats durchsuchen</translation>
    </message>
    <message>
        <source>Rename chat</source>
        <translation>Chat umbenennen</translation>
    </message>
    <message>
        <source>Pin or unpin chat</source>
        <translation>Chat anheften oder lösen</translation>
    </message>
    <message>
        <source>System prompt of this chat…</source>
        <translation>System-Prompt dieses Chats…</translation>
    </message>
    <message>
        <source>Delete chat</source>
        <translation>Chat löschen</translation>
    </message>
    <message>
        <source>Deleted chats…</source>
        <translation>Gelöschte Chats…</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stopp</translation>
    </message>
    <message>
        <source>Continue the answer</source>
        <translation>Antwort fortsetzen</translation>
    </message>
    <message>
        <source>Sidebar</source>
        <translation>Seitenleiste</translation>
    </message>
    <message>
        <source>Cache panel</source>
        <translation>Cache-Ansicht</translation>
    </message>
    <message>
        <source>Settings…</source>
        <translation>Einstellungen…</translation>
    </message>
    <message>
        <source>Command palette…</source>
        <translation>Befehlspalette…</translation>
    </message>
    <message>
        <source>Larger text</source>
        <translation>Text größer</translation>
    </message>
    <message>
        <source>Smaller text</source>
        <translation>Text kleiner</translation>
    </message>
    <message>
        <source>Usual text size</source>
        <translation>Übliche Textgröße</translation>
    </message>
    <message>
        <source>Clear all caches</source>
        <translation>Alle Caches leeren</translation>
    </message>
    <message>
        <source>Models…</source>
        <translation>Modelle…</translation>
    </message>
    <message>
        <source>Choose model folder…</source>
        <translation>Modellordner wählen…</translation>
    </message>
    <message>
        <source>Demo model</source>
        <translation>Demo-Modell</translation>
    </message>
    <message>
        <source>Unload model</source>
        <translation>Modell entladen</translation>
    </message>
    <message>
        <source>Open log folder</source>
        <translation>Protokollordner öffnen</translation>
    </message>
    <message>
        <source>About Second Glance…</source>
        <translation>Über Second Glance…</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
</context>
<context>
    <name>AnswerMessage</name>
    <message>
        <source>Second Glance</source>
        <translation>Second Glance</translation>
    </message>
    <message>
        <source>Answer finished</source>
        <translation>Antwort fertig</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>Copy answer</source>
        <translation>Antwort kopieren</translation>
    </message>
    <message>
        <source>Answer again</source>
        <translation>Neu antworten</translation>
    </message>
    <message>
        <source>Go on from here in a new chat</source>
        <translation>Ab hier in einem neuen Chat fortfahren</translation>
    </message>
    <message>
        <source>This answer failed.</source>
        <translation>Diese Antwort ist fehlgeschlagen.</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>Angehalten.</translation>
    </message>
    <message>
        <source>Stopped at the length limit of the settings.</source>
        <translation>An der Längengrenze aus den Einstellungen angehalten.</translation>
    </message>
    <message>
        <source>Stopped because the context is full.</source>
        <translation>Angehalten, weil der Kontext voll ist.</translation>
    </message>
    <message>
        <source>Stopped because the answer repeats itself.</source>
        <translation>Angehalten, weil sich die Antwort wiederholt.</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>Fortsetzen</translation>
    </message>
</context>
<context>
    <name>Attachment</name>
    <message>
        <source>The same picture as number {number}</source>
        <translation>Dasselbe Bild wie Nummer {number}</translation>
    </message>
    <message>
        <source>Remove {name}</source>
        <translation>{name} entfernen</translation>
    </message>
    <message>
        <source>Remove (Delete)</source>
        <translation>Entfernen (Entf)</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
</context>
<context>
    <name>AttachmentStrip</name>
    <message>
        <source>Attached pictures</source>
        <translation>Angehängte Bilder</translation>
    </message>
</context>
<context>
    <name>Badge</name>
    <message>
        <source>Opening</source>
        <translation>Wird geöffnet</translation>
    </message>
    <message>
        <source>New: it will be looked at when you send</source>
        <translation>Neu: wird beim Senden angesehen</translation>
    </message>
    <message>
        <source>Being looked at while you type</source>
        <translation>Wird angesehen, während getippt wird</translation>
    </message>
    <message>
        <source>Seen before: ready</source>
        <translation>Schon gesehen: bereit</translation>
    </message>
    <message>
        <source>Partly seen before</source>
        <translation>Zum Teil schon gesehen</translation>
    </message>
    <message>
        <source>Not usable with this model</source>
        <translation>Mit diesem Modell nicht brauchbar</translation>
    </message>
    <message>
        <source>Not usable</source>
        <translation>Nicht verwendbar</translation>
    </message>
</context>
<context>
    <name>BlockSelection</name>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>Alles auswählen</translation>
    </message>
</context>
<context>
    <name>Budget</name>
    <message>
        <source>{percent} of {memory} in this computer.</source>
        <translation>{percent} von {memory} in diesem Rechner.</translation>
    </message>
    <message>
        <source>{percent} of {memory} in this computer. {used} used now.</source>
        <translation>{percent} von {memory} in diesem Rechner. Jetzt {used} belegt.</translation>
    </message>
    <message>
        <source>{percent} of {memory} in this computer. {used} used now; {surplus} would go.</source>
        <translation>{percent} von {memory} in diesem Rechner. Jetzt {used} belegt; {surplus} müssten weichen.</translation>
    </message>
</context>
<context>
    <name>BudgetEditor</name>
    <message>
        <source>{title}, slider</source>
        <translation>{title}, Regler</translation>
    </message>
</context>
<context>
    <name>CachePanel</name>
    <message>
        <source>Cache panel</source>
        <translation>Cache-Ansicht</translation>
    </message>
    <message>
        <source>Memory used by all caches</source>
        <translation>Von allen Caches belegter Speicher</translation>
    </message>
    <message>
        <source>What MLX reports (active and peak memory): the model&apos;s weights, the caches, and work under way.</source>
        <translation>Was MLX meldet (aktiver und höchster Speicher): Gewichte des Modells, Caches und laufende Arbeit.</translation>
    </message>
    <message>
        <source>Entries</source>
        <translation>Einträge</translation>
    </message>
    <message>
        <source>Events</source>
        <translation>Ereignisse</translation>
    </message>
    <message>
        <source>{used} in memory</source>
        <translation>{used} im Speicher</translation>
    </message>
    <message>
        <source>Nothing kept yet</source>
        <translation>Noch nichts gespeichert</translation>
    </message>
    <message>
        <source>Drop the same screenshot twice and watch this panel: the second time, the image is not looked at again, and only new text is run.</source>
        <translation>Denselben Screenshot zweimal ablegen und hier zusehen: Beim zweiten Mal wird das Bild nicht erneut angesehen, und nur neuer Text wird berechnet.</translation>
    </message>
    <message>
        <source>Last 5 minutes</source>
        <translation>Letzte 5 Minuten</translation>
    </message>
    <message>
        <source>Last answer</source>
        <translation>Letzte Antwort</translation>
    </message>
    <message>
        <source>Cache</source>
        <translation>Cache</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>Leeren</translation>
    </message>
    <message>
        <source>Clear caches</source>
        <translation>Caches leeren</translation>
    </message>
    <message>
        <source>Budgets…</source>
        <translation>Budgets…</translation>
    </message>
    <message>
        <source>Change the budgets of the caches</source>
        <translation>Budgets der Caches ändern</translation>
    </message>
</context>
<context>
    <name>Capture</name>
    <message>
        <source>The command “screencapture” of macOS was not found.</source>
        <translation>Der macOS-Befehl „screencapture“ wurde nicht gefunden.</translation>
    </message>
    <message>
        <source>This desktop does not let apps ask for a picture of the screen: it has no desktop portal with a part for screenshots (xdg-desktop-portal).</source>
        <translation>Auf diesem Desktop können Apps nicht um ein Bild des Bildschirms bitten: Es fehlt ein Desktop-Portal mit Screenshot-Funktion (xdg-desktop-portal).</translation>
    </message>
    <message>
        <source>The desktop did not hand over a picture of the screen.</source>
        <translation>Der Desktop hat kein Bild des Bildschirms übergeben.</translation>
    </message>
    <message>
        <source>This system has no tool that lets an app ask for a picture of the screen.</source>
        <translation>Dieses System hat kein Werkzeug, mit dem eine App um ein Bild des Bildschirms bitten kann.</translation>
    </message>
</context>
<context>
    <name>ChatDetails</name>
    <message>
        <source>System prompt</source>
        <translation>System-Prompt</translation>
    </message>
    <message>
        <source>What the model is told before this chat. Empty for the one in the settings.</source>
        <translation>Was dem Modell vor diesem Chat gesagt wird. Leer für den Text aus den Einstellungen.</translation>
    </message>
    <message>
        <source>Move to folder</source>
        <translation>In Ordner verschieben</translation>
    </message>
    <message>
        <source>Name of the folder. Empty for none.</source>
        <translation>Name des Ordners. Leer für keinen.</translation>
    </message>
</context>
<context>
    <name>Chats</name>
    <message>
        <source>Chat deleted</source>
        <translation>Chat gelöscht</translation>
    </message>
    <message numerus="yes">
        <source>%Ln chat(s) deleted</source>
        <translation>
            <numerusform>%Ln Chat gelöscht</numerusform>
            <numerusform>%Ln Chats gelöscht</numerusform>
        </translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>New incognito chat</source>
        <translation>Neuer Inkognito-Chat</translation>
    </message>
</context>
<context>
    <name>Checks</name>
    <message>
        <source>{folder} has no adapter_config.json.</source>
        <translation>{folder} hat keine adapter_config.json.</translation>
    </message>
    <message>
        <source>{path} is a file, not a folder.</source>
        <translation>{path} ist eine Datei, kein Ordner.</translation>
    </message>
    <message>
        <source>{folder} cannot be written ({reason}). Choose another folder.</source>
        <translation>In {folder} kann nicht geschrieben werden ({reason}). Bitte einen anderen Ordner wählen.</translation>
    </message>
</context>
<context>
    <name>Choices</name>
    <message>
        <source>As the system</source>
        <translation>Wie das System</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>Whole prompts, by memory</source>
        <translation>Ganze Prompts, nach Speicher</translation>
    </message>
    <message>
        <source>Shared blocks</source>
        <translation>Gemeinsame Blöcke</translation>
    </message>
    <message>
        <source>Whole prompts, by number</source>
        <translation>Ganze Prompts, nach Anzahl</translation>
    </message>
    <message>
        <source>Debug</source>
        <translation>Debug</translation>
    </message>
    <message>
        <source>Info</source>
        <translation>Info</translation>
    </message>
    <message>
        <source>Warnings only</source>
        <translation>Nur Warnungen</translation>
    </message>
    <message>
        <source>{title} must be {allowed}, not “{value}”.</source>
        <translation>{title}: erlaubt ist {allowed}, nicht „{value}“.</translation>
    </message>
    <message>
        <source>{least} to {most}</source>
        <translation>{least} bis {most}</translation>
    </message>
    <message>
        <source>Give the whole path of the folder.</source>
        <translation>Bitte den vollständigen Pfad des Ordners angeben.</translation>
    </message>
</context>
<context>
    <name>CodeBlock</name>
    <message>
        <source>Code, {language}</source>
        <translation>Code, {language}</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>Code</translation>
    </message>
    <message>
        <source>code</source>
        <translation>Code</translation>
    </message>
    <message>
        <source>Copy code</source>
        <translation>Code kopieren</translation>
    </message>
</context>
<context>
    <name>CommandCapture</name>
    <message>
        <source>The screen could not be captured: {reason}</source>
        <translation>Der Bildschirm konnte nicht aufgenommen werden: {reason}</translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message>
        <source>Add images</source>
        <translation>Bilder hinzufügen</translation>
    </message>
    <message>
        <source>Images (*.png *.jpg *.jpeg *.webp *.gif *.heic *.heif *.avif *.tif *.tiff *.bmp);;All files (*)</source>
        <translation>Bilder (*.png *.jpg *.jpeg *.webp *.gif *.heic *.heif *.avif *.tif *.tiff *.bmp);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>Nachricht</translation>
    </message>
    <message>
        <source>Add images…</source>
        <translation>Bilder hinzufügen…</translation>
    </message>
    <message>
        <source>Ask about these pictures…</source>
        <translation>Frage zu diesen Bildern…</translation>
    </message>
    <message>
        <source>Ask something, or drop pictures here</source>
        <translation>Etwas fragen oder Bilder hier ablegen</translation>
    </message>
</context>
<context>
    <name>Crash</name>
    <message>
        <source>Second Glance crashed last time. Your chats are saved.</source>
        <translation>Second Glance ist beim letzten Mal abgestürzt. Die Chats sind gespeichert.</translation>
    </message>
    <message>
        <source>Copy report</source>
        <translation>Bericht kopieren</translation>
    </message>
</context>
<context>
    <name>DeletedChats</name>
    <message>
        <source>Deleted chats</source>
        <translation>Gelöschte Chats</translation>
    </message>
    <message>
        <source>There are no deleted chats.</source>
        <translation>Es gibt keine gelöschten Chats.</translation>
    </message>
    <message>
        <source>Deleted chats are removed for good when Second Glance starts the next time.</source>
        <translation>Gelöschte Chats werden beim nächsten Start von Second Glance endgültig entfernt.</translation>
    </message>
    <message numerus="yes">
        <source>A deleted chat can be brought back for %Ln day(s); then it is removed for good.</source>
        <translation>
            <numerusform>Ein gelöschter Chat lässt sich %Ln Tag lang zurückholen; dann wird er endgültig entfernt.</numerusform>
            <numerusform>Ein gelöschter Chat lässt sich %Ln Tage lang zurückholen; dann wird er endgültig entfernt.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln chat(s) and all that was said there will be gone for good.</source>
        <translation>
            <numerusform>%Ln Chat und alles, was darin gesagt wurde, wird endgültig gelöscht.</numerusform>
            <numerusform>%Ln Chats und alles, was darin gesagt wurde, werden endgültig gelöscht.</numerusform>
        </translation>
    </message>
    <message>
        <source>Delete for good</source>
        <translation>Endgültig löschen</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>Titel</translation>
    </message>
    <message>
        <source>Deleted</source>
        <translation>Gelöscht</translation>
    </message>
    <message>
        <source>Bring back</source>
        <translation>Zurückholen</translation>
    </message>
    <message>
        <source>Delete for good…</source>
        <translation>Endgültig löschen…</translation>
    </message>
</context>
<context>
    <name>DownloadRow</name>
    <message>
        <source>Get</source>
        <translation>Herunterladen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pause</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
</context>
<context>
    <name>DropOverlay</name>
    <message>
        <source>Drop to attach</source>
        <translation>Zum Anhängen ablegen</translation>
    </message>
</context>
<context>
    <name>EarlierPicture</name>
    <message>
        <source>Image</source>
        <translation>Bild</translation>
    </message>
</context>
<context>
    <name>EarlierPictures</name>
    <message>
        <source>Pictures of this chat</source>
        <translation>Bilder dieses Chats</translation>
    </message>
    <message>
        <source>Enter or a click attaches a picture again.</source>
        <translation>Eingabetaste oder Klick hängt ein Bild erneut an.</translation>
    </message>
</context>
<context>
    <name>EmptyState</name>
    <message>
        <source>Drop or paste screenshots below and ask about them. Drop the same one again, tomorrow or in another chat: it is not looked at twice, and every answer says what was reused.</source>
        <translation>Screenshots unten ablegen oder einfügen und dazu fragen. Dasselbe Bild später noch einmal, morgen oder in einem anderen Chat: Es wird nicht zweimal angesehen, und jede Antwort sagt, was wiederverwendet wurde.</translation>
    </message>
    <message>
        <source>Everything runs and stays on this computer.</source>
        <translation>Alles läuft und bleibt auf diesem Rechner.</translation>
    </message>
    <message>
        <source>Add images…</source>
        <translation>Bilder hinzufügen…</translation>
    </message>
    <message>
        <source>Add images</source>
        <translation>Bilder hinzufügen</translation>
    </message>
    <message>
        <source>Choose a model…</source>
        <translation>Modell wählen…</translation>
    </message>
    <message>
        <source>Choose a model</source>
        <translation>Modell wählen</translation>
    </message>
</context>
<context>
    <name>Entries</name>
    <message>
        <source>Prompt</source>
        <translation>Prompt</translation>
    </message>
    <message>
        <source>Picture</source>
        <translation>Bild</translation>
    </message>
    <message>
        <source>Prepared pictures</source>
        <translation>Vorbereitete Bilder</translation>
    </message>
    <message>
        <source>Last used</source>
        <translation>Zuletzt benutzt</translation>
    </message>
    <message>
        <source>Newest</source>
        <translation>Neueste</translation>
    </message>
    <message>
        <source>Largest</source>
        <translation>Größte</translation>
    </message>
    <message>
        <source>Most tokens</source>
        <translation>Meiste Token</translation>
    </message>
    <message>
        <source>shared blocks</source>
        <translation>gemeinsame Blöcke</translation>
    </message>
    <message>
        <source>in use</source>
        <translation>in Gebrauch</translation>
    </message>
    <message>
        <source>Kept {ago}</source>
        <translation>Gespeichert {ago}</translation>
    </message>
    <message>
        <source>Used {ago}</source>
        <translation>Benutzt {ago}</translation>
    </message>
    <message>
        <source>Shares its blocks with other prompts</source>
        <translation>Teilt seine Blöcke mit anderen Prompts</translation>
    </message>
    <message>
        <source>In use now: cannot be evicted</source>
        <translation>Gerade in Gebrauch: kann nicht verdrängt werden</translation>
    </message>
    <message>
        <source>Of another model</source>
        <translation>Von einem anderen Modell</translation>
    </message>
    <message numerus="yes">
        <source>{tokens}, %Ln of them for pictures</source>
        <translation>
            <numerusform>{tokens}, %Ln davon für Bilder</numerusform>
            <numerusform>{tokens}, %Ln davon für Bilder</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EntryList</name>
    <message>
        <source>Nothing is kept here.</source>
        <translation>Hier ist nichts gespeichert.</translation>
    </message>
    <message>
        <source>Cache entries</source>
        <translation>Cache-Einträge</translation>
    </message>
    <message>
        <source>Tier of the entries</source>
        <translation>Ebene der Einträge</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>Order of the entries</source>
        <translation>Reihenfolge der Einträge</translation>
    </message>
</context>
<context>
    <name>FindBar</name>
    <message>
        <source>Find in this chat</source>
        <translation>In diesem Chat suchen</translation>
    </message>
    <message>
        <source>The message before with these words</source>
        <translation>Vorige Nachricht mit diesen Worten</translation>
    </message>
    <message>
        <source>The next message with these words</source>
        <translation>Nächste Nachricht mit diesen Worten</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>{number} of {total}</source>
        <translation>{number} von {total}</translation>
    </message>
    <message>
        <source>Not found</source>
        <translation>Nicht gefunden</translation>
    </message>
</context>
<context>
    <name>FolderEditor</name>
    <message>
        <source>Choose…</source>
        <translation>Wählen…</translation>
    </message>
    <message>
        <source>Choose: {title}</source>
        <translation>Wählen: {title}</translation>
    </message>
</context>
<context>
    <name>Gallery</name>
    <message>
        <source>No picture has been sent in this chat yet.</source>
        <translation>In diesem Chat wurde noch kein Bild gesendet.</translation>
    </message>
</context>
<context>
    <name>ImageNotes</name>
    <message numerus="yes">
        <source>{known} of %Ln tile(s) known</source>
        <translation>
            <numerusform>{known} von %Ln Kachel bekannt</numerusform>
            <numerusform>{known} von %Ln Kacheln bekannt</numerusform>
        </translation>
    </message>
    <message>
        <source>{sizes}, {tokens}</source>
        <translation>{sizes}, {tokens}</translation>
    </message>
</context>
<context>
    <name>LatestButton</name>
    <message>
        <source>Latest</source>
        <translation>Neueste</translation>
    </message>
    <message>
        <source>Go to the latest message</source>
        <translation>Zur neuesten Nachricht</translation>
    </message>
</context>
<context>
    <name>Library</name>
    <message>
        <source>Waiting for its turn</source>
        <translation>Wartet, bis es an der Reihe ist</translation>
    </message>
    <message>
        <source>Looking for models failed: {error}</source>
        <translation>Die Suche nach Modellen ist fehlgeschlagen: {error}</translation>
    </message>
    <message>
        <source>Fits: up to {total} of {available}</source>
        <translation>Passt: bis zu {total} von {available}</translation>
    </message>
    <message>
        <source>Tight: {needed} and up to {caches} for caches, of {available}</source>
        <translation>Knapp: {needed} und bis zu {caches} für Caches, von {available}</translation>
    </message>
    <message>
        <source>Does not fit: {needed} needed, {available} available</source>
        <translation>Passt nicht: {needed} nötig, {available} verfügbar</translation>
    </message>
    <message>
        <source>Weights: {weights}</source>
        <translation>Gewichte: {weights}</translation>
    </message>
    <message>
        <source>A conversation of {tokens}: {state}</source>
        <translation>Ein Gespräch mit {tokens}: {state}</translation>
    </message>
    <message>
        <source>Looking at a picture: {vision}</source>
        <translation>Ansehen eines Bildes: {vision}</translation>
    </message>
    <message>
        <source>Caches, when full: {caches}</source>
        <translation>Caches, wenn sie voll sind: {caches}</translation>
    </message>
    <message>
        <source>Longest conversation beside it: {longest}</source>
        <translation>Längstes Gespräch daneben: {longest}</translation>
    </message>
    <message>
        <source>When it was last loaded, the weights took {taken}</source>
        <translation>Beim letzten Laden belegten die Gewichte {taken}</translation>
    </message>
    <message>
        <source>{available} of memory can be used for a model here; the caches may fill {caches} of it.</source>
        <translation>{available} Speicher stehen hier für ein Modell bereit; die Caches dürfen {caches} davon füllen.</translation>
    </message>
    <message>
        <source>about {size} · {licence} · for computers with {memory} or more</source>
        <translation>etwa {size} · {licence} · für Rechner ab {memory}</translation>
    </message>
    <message>
        <source>Of its own: {settings}.</source>
        <translation>Eigene Einstellungen: {settings}.</translation>
    </message>
    <message>
        <source>Asking what there is…</source>
        <translation>Fragt an, was es gibt…</translation>
    </message>
    <message>
        <source>Paused at {amount}</source>
        <translation>Pausiert bei {amount}</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>Pausiert</translation>
    </message>
    <message>
        <source>Complete and checked: {size}</source>
        <translation>Vollständig und geprüft: {size}</translation>
    </message>
    <message>
        <source>Cancelled; nothing was kept</source>
        <translation>Abgebrochen; nichts wurde behalten</translation>
    </message>
    <message>
        <source>{size}/s</source>
        <translation>{size}/s</translation>
    </message>
    <message>
        <source>{duration} left</source>
        <translation>noch {duration}</translation>
    </message>
    <message>
        <source>{done} of {total}</source>
        <translation>{done} von {total}</translation>
    </message>
    <message>
        <source>{hours}&#x202f;h {minutes}&#x202f;min</source>
        <translation>{hours}&#x202f;h {minutes}&#x202f;min</translation>
    </message>
    <message numerus="yes">
        <source>%Ln&#x202f;bit(s)</source>
        <translation>
            <numerusform>%Ln&#x202f;Bit</numerusform>
            <numerusform>%Ln&#x202f;Bit</numerusform>
        </translation>
    </message>
    <message>
        <source>{size} on disk</source>
        <translation>{size} auf der Festplatte</translation>
    </message>
    <message>
        <source>never used here</source>
        <translation>hier noch nie benutzt</translation>
    </message>
    <message>
        <source>used {ago}</source>
        <translation>benutzt {ago}</translation>
    </message>
    <message>
        <source>text only</source>
        <translation>nur Text</translation>
    </message>
    <message>
        <source>did not tell two pictures apart when it was tried</source>
        <translation>konnte im Versuch zwei Bilder nicht unterscheiden</translation>
    </message>
    <message>
        <source>sees images</source>
        <translation>sieht Bilder</translation>
    </message>
</context>
<context>
    <name>LibraryDialog</name>
    <message>
        <source>Models</source>
        <translation>Modelle</translation>
    </message>
    <message>
        <source>Add folder…</source>
        <translation>Ordner hinzufügen…</translation>
    </message>
    <message>
        <source>Add a folder with models</source>
        <translation>Ordner mit Modellen hinzufügen</translation>
    </message>
    <message>
        <source>Look again</source>
        <translation>Neu suchen</translation>
    </message>
    <message>
        <source>Look for models again</source>
        <translation>Erneut nach Modellen suchen</translation>
    </message>
    <message>
        <source>owner/model</source>
        <translation>Besitzer/Modell</translation>
    </message>
    <message>
        <source>Repository to fetch</source>
        <translation>Herunterzuladendes Repository</translation>
    </message>
    <message>
        <source>Get</source>
        <translation>Herunterladen</translation>
    </message>
    <message>
        <source>Get this repository</source>
        <translation>Dieses Repository herunterladen</translation>
    </message>
    <message>
        <source>Looking for models…</source>
        <translation>Modelle werden gesucht…</translation>
    </message>
    <message>
        <source>Choose a folder with models</source>
        <translation>Ordner mit Modellen wählen</translation>
    </message>
    <message>
        <source>Length of conversation to reckon with</source>
        <translation>Gesprächslänge, mit der gerechnet wird</translation>
    </message>
    <message>
        <source>On this computer</source>
        <translation>Auf diesem Rechner</translation>
    </message>
    <message>
        <source>Conversations of</source>
        <translation>Gespräche mit</translation>
    </message>
    <message>
        <source>Download</source>
        <translation>Herunterladen</translation>
    </message>
    <message>
        <source>Only files that cannot run code are fetched. A download may be paused; it goes on after a restart too. The sizes below are approximate; the exact one is shown once the hub was asked.</source>
        <translation>Nur Dateien, die keinen Code ausführen können, werden geladen. Ein Download lässt sich pausieren und läuft auch nach einem Neustart weiter. Die Größen unten sind Richtwerte; die genaue wird gezeigt, sobald der Hub gefragt wurde.</translation>
    </message>
</context>
<context>
    <name>Lightbox</name>
    <message>
        <source>Previous picture</source>
        <translation>Voriges Bild</translation>
    </message>
    <message>
        <source>Next picture</source>
        <translation>Nächstes Bild</translation>
    </message>
    <message>
        <source>Smaller</source>
        <translation>Kleiner</translation>
    </message>
    <message>
        <source>Fit to window</source>
        <translation>An Fenster anpassen</translation>
    </message>
    <message>
        <source>Larger</source>
        <translation>Größer</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Opening…</source>
        <translation>Wird geöffnet…</translation>
    </message>
    <message>
        <source>{number} of {total}</source>
        <translation>{number} von {total}</translation>
    </message>
    <message>
        <source>The picture cannot be shown.</source>
        <translation>Das Bild kann nicht gezeigt werden.</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Menu</source>
        <translation>Menü</translation>
    </message>
</context>
<context>
    <name>MessageView</name>
    <message>
        <source>Conversation</source>
        <translation>Gespräch</translation>
    </message>
</context>
<context>
    <name>Mime</name>
    <message>
        <source>Only pictures from this computer can be attached. Save the picture first, or copy the picture itself.</source>
        <translation>Nur Bilder von diesem Rechner können angehängt werden. Das Bild zuerst speichern oder das Bild selbst kopieren.</translation>
    </message>
    <message>
        <source>Only pictures can be attached here.</source>
        <translation>Hier können nur Bilder angehängt werden.</translation>
    </message>
    <message>
        <source>pasted image</source>
        <translation>eingefügtes Bild</translation>
    </message>
    <message>
        <source>“{name}” is a folder. Add the pictures inside it.</source>
        <translation>„{name}“ ist ein Ordner. Bitte die Bilder darin hinzufügen.</translation>
    </message>
    <message>
        <source>“{name}” has {size}; files up to {most} can be attached.</source>
        <translation>„{name}“ hat {size}; Dateien bis {most} können angehängt werden.</translation>
    </message>
    <message>
        <source>“{name}” is no longer there. Add it again from where it is now.</source>
        <translation>„{name}“ ist nicht mehr da. Bitte vom jetzigen Ort neu hinzufügen.</translation>
    </message>
    <message>
        <source>“{name}” could not be read: {reason}.</source>
        <translation>„{name}“ konnte nicht gelesen werden: {reason}.</translation>
    </message>
    <message>
        <source>The other program offered a picture but did not hand it over. Save it as a file and add that.</source>
        <translation>Das andere Programm hat ein Bild angeboten, aber nicht übergeben. Bitte als Datei speichern und diese hinzufügen.</translation>
    </message>
    <message>
        <source>The picture in the copied page is in a form that cannot be read. Copy it alone.</source>
        <translation>Das Bild in der kopierten Seite liegt in einer unlesbaren Form vor. Bitte nur das Bild kopieren.</translation>
    </message>
    <message>
        <source>The picture in the copied page is damaged. Copy the picture itself.</source>
        <translation>Das Bild in der kopierten Seite ist beschädigt. Bitte das Bild selbst kopieren.</translation>
    </message>
</context>
<context>
    <name>ModelLibrary</name>
    <message>
        <source>This chat had its answers from {model}.</source>
        <translation>Die Antworten dieses Chats kamen von {model}.</translation>
    </message>
    <message>
        <source>Use it again</source>
        <translation>Wieder verwenden</translation>
    </message>
</context>
<context>
    <name>ModelRow</name>
    <message>
        <source>Load anyway</source>
        <translation>Trotzdem laden</translation>
    </message>
    <message>
        <source>Load</source>
        <translation>Laden</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stopp</translation>
    </message>
    <message>
        <source>Unload</source>
        <translation>Entladen</translation>
    </message>
    <message>
        <source>{model} · in use</source>
        <translation>{model} · in Gebrauch</translation>
    </message>
    <message>
        <source>More: {model}</source>
        <translation>Mehr: {model}</translation>
    </message>
    <message>
        <source>Settings for this model, adapter, smaller copy</source>
        <translation>Einstellungen für dieses Modell, Adapter, kleinere Kopie</translation>
    </message>
    <message>
        <source>Settings for this model…</source>
        <translation>Einstellungen für dieses Modell…</translation>
    </message>
    <message>
        <source>Load with an adapter…</source>
        <translation>Mit einem Adapter laden…</translation>
    </message>
    <message>
        <source>Quantize…</source>
        <translation>Quantisieren…</translation>
    </message>
    <message>
        <source>Choose the folder of a LoRA adapter</source>
        <translation>Ordner eines LoRA-Adapters wählen</translation>
    </message>
</context>
<context>
    <name>ModelState</name>
    <message>
        <source>No model</source>
        <translation>Kein Modell</translation>
    </message>
    <message>
        <source>Loading {percent}</source>
        <translation>Lädt {percent}</translation>
    </message>
    <message>
        <source>Loading</source>
        <translation>Lädt</translation>
    </message>
    <message>
        <source>Ready on {device}</source>
        <translation>Bereit auf {device}</translation>
    </message>
    <message>
        <source>Not loaded</source>
        <translation>Nicht geladen</translation>
    </message>
    <message>
        <source>{name} does not think, so this thought cannot be gone on with.</source>
        <translation>{name} denkt nicht, deshalb kann dieser Gedankengang nicht fortgesetzt werden.</translation>
    </message>
    <message>
        <source>Context: {tokens}</source>
        <translation>Kontext: {tokens}</translation>
    </message>
    <message>
        <source>Weights: {size}</source>
        <translation>Gewichte: {size}</translation>
    </message>
    <message>
        <source>Text only: images cannot be used</source>
        <translation>Nur Text: Bilder sind nicht verwendbar</translation>
    </message>
    <message>
        <source>Sees images</source>
        <translation>Sieht Bilder</translation>
    </message>
    <message>
        <source>Demo model</source>
        <translation>Demo-Modell</translation>
    </message>
</context>
<context>
    <name>Models</name>
    <message>
        <source>Choose a model folder</source>
        <translation>Modellordner wählen</translation>
    </message>
    <message>
        <source>LFM2-VL 1.6B</source>
        <translation>LFM2-VL 1.6B</translation>
    </message>
    <message>
        <source>Quick looks at pictures on small machines.</source>
        <translation>Schnelle Blicke auf Bilder, auch auf kleinen Rechnern.</translation>
    </message>
    <message>
        <source>Qwen3-VL 4B</source>
        <translation>Qwen3-VL 4B</translation>
    </message>
    <message>
        <source>Reading screenshots, tables and small print; the first one to try.</source>
        <translation>Liest Screenshots, Tabellen und Kleingedrucktes; als Erstes ausprobieren.</translation>
    </message>
    <message>
        <source>Gemma 3 4B</source>
        <translation>Gemma 3 4B</translation>
    </message>
    <message>
        <source>Describing photos, in many languages.</source>
        <translation>Beschreibt Fotos in vielen Sprachen.</translation>
    </message>
    <message>
        <source>SmolVLM2 2.2B</source>
        <translation>SmolVLM2 2.2B</translation>
    </message>
    <message>
        <source>Short answers about pictures, in English.</source>
        <translation>Kurze Antworten zu Bildern, auf Englisch.</translation>
    </message>
    <message>
        <source>Qwen3-VL 8B</source>
        <translation>Qwen3-VL 8B</translation>
    </message>
    <message>
        <source>Screenshots, documents and comparisons of pictures.</source>
        <translation>Screenshots, Dokumente und Bildvergleiche.</translation>
    </message>
    <message>
        <source>Gemma 3 12B</source>
        <translation>Gemma 3 12B</translation>
    </message>
    <message>
        <source>Longer conversations about photos, in many languages.</source>
        <translation>Längere Gespräche über Fotos in vielen Sprachen.</translation>
    </message>
    <message>
        <source>Qwen3-VL 30B-A3B</source>
        <translation>Qwen3-VL 30B-A3B</translation>
    </message>
    <message>
        <source>The most exact of these; quick for its size.</source>
        <translation>Das genaueste davon; schnell für seine Größe.</translation>
    </message>
</context>
<context>
    <name>Note</name>
    <message>
        <source>Details of the failure</source>
        <translation>Einzelheiten zum Fehler</translation>
    </message>
    <message>
        <source>Show details</source>
        <translation>Einzelheiten zeigen</translation>
    </message>
    <message>
        <source>Copy details</source>
        <translation>Einzelheiten kopieren</translation>
    </message>
</context>
<context>
    <name>Opener</name>
    <message>
        <source>“{name}” could not be opened.</source>
        <translation>„{name}“ konnte nicht geöffnet werden.</translation>
    </message>
</context>
<context>
    <name>OwnSettingsDialog</name>
    <message>
        <source>Settings for {model}</source>
        <translation>Einstellungen für {model}</translation>
    </message>
    <message>
        <source>What you change here holds for this model only. Everything else is as in the settings.</source>
        <translation>Änderungen hier gelten nur für dieses Modell. Alles andere ist wie in den Einstellungen.</translation>
    </message>
    <message>
        <source>Back to what holds for all models</source>
        <translation>Zurück zu dem, was für alle Modelle gilt</translation>
    </message>
</context>
<context>
    <name>Pages</name>
    <message>
        <source>Shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>Everything runs on this computer. Nothing is sent anywhere: no telemetry, no update check, no account.</source>
        <translation>Alles läuft auf diesem Rechner. Nichts wird irgendwohin gesendet: keine Telemetrie, keine Suche nach Updates, kein Konto.</translation>
    </message>
    <message>
        <source>The network is used only when you download a model yourself.</source>
        <translation>Das Netz wird nur benutzt, wenn ein Modell von Hand heruntergeladen wird.</translation>
    </message>
    <message>
        <source>Chats and images are kept until you delete them. Incognito chats are kept in memory only, and their text and images never reach the disk cache.</source>
        <translation>Chats und Bilder bleiben, bis sie gelöscht werden. Inkognito-Chats bleiben nur im Speicher; ihr Text und ihre Bilder gelangen nie in den Festplatten-Cache.</translation>
    </message>
    <message>
        <source>Logs hold no text and no image of a chat.</source>
        <translation>Protokolle enthalten weder Text noch Bild eines Chats.</translation>
    </message>
    <message>
        <source>Chats, images and logs</source>
        <translation>Chats, Bilder und Protokolle</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Privacy</source>
        <translation>Datenschutz</translation>
    </message>
</context>
<context>
    <name>Palette</name>
    <message>
        <source>Command palette</source>
        <translation>Befehlspalette</translation>
    </message>
    <message>
        <source>What do you want to do?</source>
        <translation>Was soll geschehen?</translation>
    </message>
    <message>
        <source>Find a command</source>
        <translation>Befehl suchen</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>Befehle</translation>
    </message>
</context>
<context>
    <name>Panel</name>
    <message>
        <source>Prefix</source>
        <translation>Präfix</translation>
    </message>
    <message>
        <source>Vision</source>
        <translation>Bilder</translation>
    </message>
    <message>
        <source>Disk</source>
        <translation>Festplatte</translation>
    </message>
    <message>
        <source>What was read of your chats (KV state of prompts), so that only new text is run.</source>
        <translation>Was von Chats gelesen wurde (KV-Zustand der Prompts), damit nur neuer Text berechnet wird.</translation>
    </message>
    <message>
        <source>What was seen in your images (encoder features), so that no image is looked at twice.</source>
        <translation>Was in Bildern gesehen wurde (Merkmale des Encoders), damit kein Bild zweimal angesehen wird.</translation>
    </message>
    <message>
        <source>What left memory and is kept on disk, also over a restart.</source>
        <translation>Was den Speicher verlassen hat und auf der Festplatte bleibt, auch über einen Neustart.</translation>
    </message>
    <message>
        <source>Clear prefix cache</source>
        <translation>Präfix-Cache leeren</translation>
    </message>
    <message>
        <source>Clear vision cache</source>
        <translation>Bild-Cache leeren</translation>
    </message>
    <message>
        <source>Clear disk cache</source>
        <translation>Festplatten-Cache leeren</translation>
    </message>
    <message>
        <source>to make room</source>
        <translation>um Platz zu schaffen</translation>
    </message>
    <message>
        <source>over the number limit</source>
        <translation>Höchstzahl überschritten</translation>
    </message>
    <message>
        <source>replaced by a newer one</source>
        <translation>durch neueren ersetzt</translation>
    </message>
    <message>
        <source>covered by a longer one</source>
        <translation>in längerem enthalten</translation>
    </message>
    <message>
        <source>cleared</source>
        <translation>geleert</translation>
    </message>
    <message>
        <source>limit lowered</source>
        <translation>Grenze gesenkt</translation>
    </message>
    <message>
        <source>unused for too long</source>
        <translation>zu lange unbenutzt</translation>
    </message>
    <message>
        <source>damaged</source>
        <translation>beschädigt</translation>
    </message>
    <message>
        <source>{tier} stored: {amount}</source>
        <translation>{tier} gespeichert: {amount}</translation>
    </message>
    <message>
        <source>{tier} hit: {amount}</source>
        <translation>{tier} Treffer: {amount}</translation>
    </message>
    <message>
        <source>{tier} missed</source>
        <translation>{tier} ohne Treffer</translation>
    </message>
    <message>
        <source>{tier} evicted {amount}</source>
        <translation>{tier} verdrängt {amount}</translation>
    </message>
    <message>
        <source>Moved to disk: {amount}</source>
        <translation>Auf die Festplatte: {amount}</translation>
    </message>
    <message>
        <source>Restored from disk: {amount}</source>
        <translation>Von der Festplatte geholt: {amount}</translation>
    </message>
    <message>
        <source>Image encoded in {seconds}</source>
        <translation>Bild in {seconds} encodiert</translation>
    </message>
    <message>
        <source>Encoder skipped, {seconds} saved</source>
        <translation>Encoder übersprungen, {seconds} gespart</translation>
    </message>
    <message>
        <source>{tier} bypassed</source>
        <translation>{tier} umgangen</translation>
    </message>
    <message>
        <source>{tier} cleared</source>
        <translation>{tier} geleert</translation>
    </message>
    <message>
        <source>{tier} limit is now {size}</source>
        <translation>{tier}: Grenze jetzt {size}</translation>
    </message>
    <message>
        <source>Clear everything</source>
        <translation>Alles leeren</translation>
    </message>
    <message>
        <source>{percent} hits: {hits} of {queries}</source>
        <translation>{percent} Treffer: {hits} von {queries}</translation>
    </message>
    <message>
        <source>Not asked yet</source>
        <translation>Noch nicht gefragt</translation>
    </message>
    <message numerus="yes">
        <source>%Ln bypassed</source>
        <translation>
            <numerusform>%Ln umgangen</numerusform>
            <numerusform>%Ln umgangen</numerusform>
        </translation>
    </message>
    <message>
        <source>{tokens} reused</source>
        <translation>{tokens} wiederverwendet</translation>
    </message>
    <message numerus="yes">
        <source>encoder skipped %Ln time(s)</source>
        <translation>
            <numerusform>Encoder %Ln-mal übersprungen</numerusform>
            <numerusform>Encoder %Ln-mal übersprungen</numerusform>
        </translation>
    </message>
    <message>
        <source>{seconds} saved</source>
        <translation>{seconds} gespart</translation>
    </message>
    <message numerus="yes">
        <source>%Ln evicted: {why}</source>
        <translation>
            <numerusform>%Ln verdrängt: {why}</numerusform>
            <numerusform>%Ln verdrängt: {why}</numerusform>
        </translation>
    </message>
    <message>
        <source>{memory} in memory, {disk} on disk</source>
        <translation>{memory} im Speicher, {disk} auf der Festplatte</translation>
    </message>
    <message>
        <source>{memory} in memory</source>
        <translation>{memory} im Speicher</translation>
    </message>
    <message>
        <source>With the model {active}, at most {peak}</source>
        <translation>Mit dem Modell {active}, höchstens {peak}</translation>
    </message>
    <message>
        <source>{reused} of {tokens} reused</source>
        <translation>{reused} von {tokens} wiederverwendet</translation>
    </message>
    <message numerus="yes">
        <source>Encoder skipped for {skipped} of %Ln image(s)</source>
        <translation>
            <numerusform>Encoder bei {skipped} von %Ln Bild übersprungen</numerusform>
            <numerusform>Encoder bei {skipped} von %Ln Bildern übersprungen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln entries evicted</source>
        <translation>
            <numerusform>%Ln Eintrag verdrängt</numerusform>
            <numerusform>%Ln Einträge verdrängt</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing evicted</source>
        <translation>Nichts verdrängt</translation>
    </message>
    <message>
        <source>First token after {seconds}</source>
        <translation>Erstes Token nach {seconds}</translation>
    </message>
    <message>
        <source>Context {percent} full: {held} of {tokens}</source>
        <translation>Kontext zu {percent} voll: {held} von {tokens}</translation>
    </message>
    <message>
        <source>Cache events, newest first</source>
        <translation>Cache-Ereignisse, neueste zuerst</translation>
    </message>
</context>
<context>
    <name>Paper</name>
    <message>
        <source>You</source>
        <translation>Ich</translation>
    </message>
    <message>
        <source>Second Glance</source>
        <translation>Second Glance</translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>System-Prompt</translation>
    </message>
    <message>
        <source>The printer cannot be used.</source>
        <translation>Der Drucker kann nicht benutzt werden.</translation>
    </message>
</context>
<context>
    <name>Place</name>
    <message>
        <source>{size} free on this volume</source>
        <translation>{size} frei auf diesem Volume</translation>
    </message>
    <message>
        <source>{size} used</source>
        <translation>{size} belegt</translation>
    </message>
    <message>
        <source>{folder}. {room}.</source>
        <translation>{folder}. {room}.</translation>
    </message>
</context>
<context>
    <name>PlaceEditor</name>
    <message>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>Show in the file manager: {title}</source>
        <translation>Im Dateimanager zeigen: {title}</translation>
    </message>
    <message>
        <source>Show in the file manager</source>
        <translation>Im Dateimanager zeigen</translation>
    </message>
</context>
<context>
    <name>PortalCapture</name>
    <message>
        <source>The picture of the screen could not be read: {reason}.</source>
        <translation>Das Bild des Bildschirms konnte nicht gelesen werden: {reason}.</translation>
    </message>
</context>
<context>
    <name>PreferencesDialog</name>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>Seiten</translation>
    </message>
    <message>
        <source>Shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>Privacy</source>
        <translation>Datenschutz</translation>
    </message>
</context>
<context>
    <name>Progress</name>
    <message>
        <source>{words} ({note})</source>
        <translation>{words} ({note})</translation>
    </message>
    <message>
        <source>{words}, about {duration} left</source>
        <translation>{words}, noch etwa {duration}</translation>
    </message>
    <message>
        <source>Opening image {number} of {total}</source>
        <translation>Bild {number} von {total} wird geöffnet</translation>
    </message>
    <message>
        <source>Encoding image {number} of {total}</source>
        <translation>Bild {number} von {total} wird encodiert</translation>
    </message>
    <message>
        <source>{stage} {percent}</source>
        <translation>{stage} {percent}</translation>
    </message>
    <message>
        <source>Loading the model</source>
        <translation>Modell wird geladen</translation>
    </message>
    <message>
        <source>Opening image</source>
        <translation>Bild wird geöffnet</translation>
    </message>
    <message>
        <source>Encoding image</source>
        <translation>Bild wird encodiert</translation>
    </message>
    <message>
        <source>Restoring what is known</source>
        <translation>Bekanntes wird wiederhergestellt</translation>
    </message>
    <message>
        <source>Reading the prompt</source>
        <translation>Prompt wird gelesen</translation>
    </message>
</context>
<context>
    <name>ProgressDialog</name>
    <message>
        <source>The pages go to the printer now. They can be stopped only there.</source>
        <translation>Die Seiten gehen jetzt an den Drucker. Anhalten lassen sie sich nur noch dort.</translation>
    </message>
</context>
<context>
    <name>ProgressLine</name>
    <message>
        <source>Waiting</source>
        <translation>Wartet</translation>
    </message>
    <message>
        <source>Progress of the answer</source>
        <translation>Fortschritt der Antwort</translation>
    </message>
</context>
<context>
    <name>QuantizeDialog</name>
    <message>
        <source>Quantize {model}</source>
        <translation>{model} quantisieren</translation>
    </message>
    <message>
        <source>Folder for the copy</source>
        <translation>Ordner für die Kopie</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>Wählen…</translation>
    </message>
    <message>
        <source>Choose the folder for the copy</source>
        <translation>Ordner für die Kopie wählen</translation>
    </message>
    <message>
        <source>Quantize</source>
        <translation>Quantisieren</translation>
    </message>
    <message>
        <source>{bits}: about {size}, smallest</source>
        <translation>{bits}: etwa {size}, am kleinsten</translation>
    </message>
    <message>
        <source>{bits}: about {size}, hardly less exact</source>
        <translation>{bits}: etwa {size}, kaum ungenauer</translation>
    </message>
    <message>
        <source>{folder}. {size} free there.</source>
        <translation>{folder}. Dort sind {size} frei.</translation>
    </message>
    <message>
        <source>{folder} exists already. Choose another folder.</source>
        <translation>{folder} gibt es schon. Bitte einen anderen Ordner wählen.</translation>
    </message>
    <message>
        <source>The copy needs about {needed}, and {free} are free there. Choose another folder.</source>
        <translation>Die Kopie braucht etwa {needed}, und dort sind {free} frei. Bitte einen anderen Ordner wählen.</translation>
    </message>
    <message>
        <source>Choose a folder for the copy</source>
        <translation>Ordner für die Kopie wählen</translation>
    </message>
    <message>
        <source>A smaller copy of {model}</source>
        <translation>Eine kleinere Kopie von {model}</translation>
    </message>
    <message>
        <source>A copy with fewer bits per weight is smaller and faster, and answers a little less exactly. Answers wait until it is made.</source>
        <translation>Eine Kopie mit weniger Bit pro Gewicht ist kleiner und schneller und antwortet etwas weniger genau. Antworten warten, bis sie fertig ist.</translation>
    </message>
    <message>
        <source>Into the folder</source>
        <translation>In den Ordner</translation>
    </message>
</context>
<context>
    <name>Receipt</name>
    <message>
        <source>Reused from memory</source>
        <translation>Aus dem Speicher wiederverwendet</translation>
    </message>
    <message>
        <source>Restored from disk</source>
        <translation>Von der Festplatte geholt</translation>
    </message>
    <message>
        <source>Run now</source>
        <translation>Jetzt berechnet</translation>
    </message>
    <message>
        <source>prefix hit in memory</source>
        <translation>Präfix-Treffer im Speicher</translation>
    </message>
    <message>
        <source>prefix hit on the SSD tier</source>
        <translation>Präfix-Treffer auf der SSD-Ebene</translation>
    </message>
    <message>
        <source>prefill</source>
        <translation>Prefill</translation>
    </message>
    <message>
        <source>{words} (saved {seconds})</source>
        <translation>{words} ({seconds} gespart)</translation>
    </message>
    <message numerus="yes">
        <source>%Ln image(s) seen before: encoder skipped</source>
        <translation>
            <numerusform>Bild schon gesehen: Encoder übersprungen</numerusform>
            <numerusform>%Ln Bilder schon gesehen: Encoder übersprungen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{known} of %Ln image(s) seen before</source>
        <translation>
            <numerusform>{known} von %Ln Bild schon gesehen</numerusform>
            <numerusform>{known} von %Ln Bildern schon gesehen</numerusform>
        </translation>
    </message>
    <message>
        <source>{words} ({tiles})</source>
        <translation>{words} ({tiles})</translation>
    </message>
    <message numerus="yes">
        <source>%Ln new image(s): encoded in {seconds}</source>
        <translation>
            <numerusform>Neues Bild: in {seconds} encodiert</numerusform>
            <numerusform>%Ln neue Bilder: in {seconds} encodiert</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln encoded while you typed</source>
        <translation>
            <numerusform>%Ln beim Tippen encodiert</numerusform>
            <numerusform>%Ln beim Tippen encodiert</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln image(s) encoded while you typed</source>
        <translation>
            <numerusform>Bild beim Tippen encodiert</numerusform>
            <numerusform>%Ln Bilder beim Tippen encodiert</numerusform>
        </translation>
    </message>
    <message>
        <source>{first}; {second}</source>
        <translation>{first}; {second}</translation>
    </message>
    <message numerus="yes">
        <source>%Ln encoded in {seconds}</source>
        <translation>
            <numerusform>%Ln in {seconds} encodiert</numerusform>
            <numerusform>%Ln in {seconds} encodiert</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{seen} of %Ln tile(s) seen before</source>
        <translation>
            <numerusform>{seen} von %Ln Kachel schon gesehen</numerusform>
            <numerusform>{seen} von %Ln Kacheln schon gesehen</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing reused: {why}</source>
        <translation>Nichts wiederverwendet: {why}</translation>
    </message>
    <message>
        <source>Nothing reused</source>
        <translation>Nichts wiederverwendet</translation>
    </message>
    <message>
        <source>then {cause}</source>
        <translation>dann: {cause}</translation>
    </message>
    <message>
        <source>{run} of {tokens} run before the stop</source>
        <translation>{run} von {tokens} vor dem Anhalten berechnet</translation>
    </message>
    <message numerus="yes">
        <source>All %Ln prompt token(s) run now</source>
        <translation>
            <numerusform>%Ln Prompt-Token jetzt berechnet</numerusform>
            <numerusform>Alle %Ln Prompt-Token jetzt berechnet</numerusform>
        </translation>
    </message>
    <message>
        <source>{reused} of {tokens} restored from disk</source>
        <translation>{reused} von {tokens} von der Festplatte geholt</translation>
    </message>
    <message>
        <source>{reused} of {tokens} reused ({disk} from disk)</source>
        <translation>{reused} von {tokens} wiederverwendet ({disk} von der Festplatte)</translation>
    </message>
    <message>
        <source>{reused} of {tokens} ready, {ahead} of them run while you typed</source>
        <translation>{reused} von {tokens} bereit, davon {ahead} beim Tippen berechnet</translation>
    </message>
    <message>
        <source>{reused} of {tokens} reused</source>
        <translation>{reused} von {tokens} wiederverwendet</translation>
    </message>
    <message numerus="yes">
        <source>%Ln cache entries evicted</source>
        <translation>
            <numerusform>%Ln Cache-Eintrag verdrängt</numerusform>
            <numerusform>%Ln Cache-Einträge verdrängt</numerusform>
        </translation>
    </message>
    <message>
        <source>First token after {seconds}</source>
        <translation>Erstes Token nach {seconds}</translation>
    </message>
    <message>
        <source>{tokens} from memory</source>
        <translation>{tokens} aus dem Speicher</translation>
    </message>
    <message>
        <source>{tokens} from disk</source>
        <translation>{tokens} von der Festplatte</translation>
    </message>
    <message>
        <source>{tokens} run now</source>
        <translation>{tokens} jetzt berechnet</translation>
    </message>
    <message>
        <source>{image}: {what}</source>
        <translation>{image}: {what}</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>Bild</translation>
    </message>
    <message>
        <source>Image {number}</source>
        <translation>Bild {number}</translation>
    </message>
    <message>
        <source>encoded while you typed</source>
        <translation>beim Tippen encodiert</translation>
    </message>
    <message>
        <source>seen before, encoder skipped</source>
        <translation>schon gesehen, Encoder übersprungen</translation>
    </message>
    <message numerus="yes">
        <source>%Ln encoded now</source>
        <translation>
            <numerusform>%Ln jetzt encodiert</numerusform>
            <numerusform>%Ln jetzt encodiert</numerusform>
        </translation>
    </message>
    <message>
        <source>new, encoded now</source>
        <translation>neu, jetzt encodiert</translation>
    </message>
    <message numerus="yes">
        <source>new, %Ln tile(s) encoded now</source>
        <translation>
            <numerusform>neu, %Ln Kachel jetzt encodiert</numerusform>
            <numerusform>neu, %Ln Kacheln jetzt encodiert</numerusform>
        </translation>
    </message>
    <message>
        <source>saved {seconds}</source>
        <translation>{seconds} gespart</translation>
    </message>
    <message>
        <source>vision encoder skipped</source>
        <translation>Vision-Encoder übersprungen</translation>
    </message>
    <message>
        <source>vision encoder run</source>
        <translation>Vision-Encoder gelaufen</translation>
    </message>
    <message>
        <source>Encoding images</source>
        <translation>Bilder encodieren</translation>
    </message>
    <message>
        <source>vision encoder</source>
        <translation>Vision-Encoder</translation>
    </message>
    <message>
        <source>Restoring what was known</source>
        <translation>Bekanntes wiederherstellen</translation>
    </message>
    <message>
        <source>prefix hit, copied into place</source>
        <translation>Präfix-Treffer, an seinen Platz kopiert</translation>
    </message>
    <message>
        <source>Reading the rest of the prompt</source>
        <translation>Rest des Prompts lesen</translation>
    </message>
    <message>
        <source>Everything else</source>
        <translation>Alles Übrige</translation>
    </message>
    <message>
        <source>chat template, tokenizing, first token</source>
        <translation>Chat-Vorlage, Tokenisierung, erstes Token</translation>
    </message>
    <message>
        <source>Time to first token</source>
        <translation>Zeit bis zum ersten Token</translation>
    </message>
    <message>
        <source>TTFT</source>
        <translation>TTFT</translation>
    </message>
    <message>
        <source>Of these run while you typed</source>
        <translation>Davon beim Tippen berechnet</translation>
    </message>
    <message>
        <source>work ahead</source>
        <translation>Vorarbeit</translation>
    </message>
    <message>
        <source>prefix miss</source>
        <translation>Präfix ohne Treffer</translation>
    </message>
    <message>
        <source>Why not more</source>
        <translation>Warum nicht mehr</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>decode</source>
        <translation>Decodierung</translation>
    </message>
    <message numerus="yes">
        <source>%Ln cache entries</source>
        <translation>
            <numerusform>%Ln Cache-Eintrag</numerusform>
            <numerusform>%Ln Cache-Einträge</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing</source>
        <translation>Nichts</translation>
    </message>
    <message>
        <source>eviction</source>
        <translation>Verdrängung</translation>
    </message>
    <message>
        <source>Evicted</source>
        <translation>Verdrängt</translation>
    </message>
</context>
<context>
    <name>ReceiptView</name>
    <message>
        <source>Show the figures</source>
        <translation>Zahlen zeigen</translation>
    </message>
    <message>
        <source>Hide the figures</source>
        <translation>Zahlen ausblenden</translation>
    </message>
</context>
<context>
    <name>ReportDialog</name>
    <message>
        <source>Report</source>
        <translation>Bericht</translation>
    </message>
    <message>
        <source>Copy report</source>
        <translation>Bericht kopieren</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>Something went wrong</source>
        <translation>Etwas ist schiefgegangen</translation>
    </message>
    <message>
        <source>Your chats are saved. This report helps to find the cause; nothing was sent.</source>
        <translation>Die Chats sind gespeichert. Dieser Bericht hilft, die Ursache zu finden; gesendet wurde nichts.</translation>
    </message>
</context>
<context>
    <name>Requests</name>
    <message>
        <source>New chat</source>
        <translation>Neuer Chat</translation>
    </message>
    <message>
        <source>{title} (branch)</source>
        <translation>{title} (Zweig)</translation>
    </message>
    <message>
        <source>{title} (branch {number})</source>
        <translation>{title} (Zweig {number})</translation>
    </message>
</context>
<context>
    <name>Row</name>
    <message>
        <source>Progress of {model}</source>
        <translation>Fortschritt: {model}</translation>
    </message>
</context>
<context>
    <name>Samples</name>
    <message>
        <source>No picture at hand? The demo model knows windows like these:</source>
        <translation>Kein Bild zur Hand? Das Demo-Modell kennt Fenster wie diese:</translation>
    </message>
    <message>
        <source>Add {name} to the question</source>
        <translation>{name} zur Frage hinzufügen</translation>
    </message>
    <message>
        <source>Add the sample picture {name}</source>
        <translation>Beispielbild {name} hinzufügen</translation>
    </message>
</context>
<context>
    <name>ScreenCapture</name>
    <message>
        <source>Choose a part of the screen and attach it</source>
        <translation>Einen Teil des Bildschirms wählen und anhängen</translation>
    </message>
    <message>
        <source>Screen at {time}</source>
        <translation>Bildschirm um {time}</translation>
    </message>
</context>
<context>
    <name>SearchableText</name>
    <message>
        <source>Find</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Find in: {name}</source>
        <translation>Suchen in: {name}</translation>
    </message>
    <message>
        <source>The place before</source>
        <translation>Vorige Stelle</translation>
    </message>
    <message>
        <source>The next place</source>
        <translation>Nächste Stelle</translation>
    </message>
    <message>
        <source>{number} of {total}</source>
        <translation>{number} von {total}</translation>
    </message>
    <message>
        <source>Not found</source>
        <translation>Nicht gefunden</translation>
    </message>
</context>
<context>
    <name>SendButton</name>
    <message>
        <source>Stop</source>
        <translation>Stopp</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>Senden</translation>
    </message>
    <message>
        <source>Sent as soon as the pictures are open</source>
        <translation>Wird gesendet, sobald die Bilder geöffnet sind</translation>
    </message>
</context>
<context>
    <name>Sentences</name>
    <message>
        <source>an entry could not be spilled ({error})</source>
        <translation>ein Eintrag konnte nicht ausgelagert werden ({error})</translation>
    </message>
    <message>
        <source>look-up failed ({error})</source>
        <translation>Nachschlagen fehlgeschlagen ({error})</translation>
    </message>
    <message>
        <source>the cache failed; see the log</source>
        <translation>der Cache ist ausgefallen; siehe Protokoll</translation>
    </message>
    <message>
        <source>a state was not stored ({refused})</source>
        <translation>ein Zustand wurde nicht gespeichert ({refused})</translation>
    </message>
    <message>
        <source>storing failed ({error})</source>
        <translation>Speichern fehlgeschlagen ({error})</translation>
    </message>
    <message>
        <source>The cache folder {root} cannot be used: {reason}.</source>
        <translation>Der Cache-Ordner {root} ist nicht benutzbar: {reason}.</translation>
    </message>
    <message>
        <source>Another Second Glance uses this cache folder. This one runs without the disk cache.</source>
        <translation>Ein anderes Second Glance benutzt diesen Cache-Ordner. Dieses läuft ohne Festplatten-Cache.</translation>
    </message>
    <message>
        <source>The cache folder {root} cannot be written: {reason}.</source>
        <translation>In den Cache-Ordner {root} kann nicht geschrieben werden: {reason}.</translation>
    </message>
    <message>
        <source>The cache folder {folder} is a link. Choose a real folder.</source>
        <translation>Der Cache-Ordner {folder} ist eine Verknüpfung. Bitte einen echten Ordner wählen.</translation>
    </message>
    <message>
        <source>its size limit, or the free space of the volume, leaves no room</source>
        <translation>seine Größengrenze oder der freie Platz auf dem Volume lässt keinen Raum</translation>
    </message>
    <message>
        <source>animated: only the first frame is used</source>
        <translation>animiert: nur das erste Einzelbild wird verwendet</translation>
    </message>
    <message>
        <source>“{picture}” is empty.</source>
        <translation>„{picture}“ ist leer.</translation>
    </message>
    <message>
        <source>“{picture}” is {size} pixels, more than the {max_pixels} that can be shown.</source>
        <translation>„{picture}“ hat {size} Pixel, mehr als die {max_pixels}, die gezeigt werden können.</translation>
    </message>
    <message>
        <source>“{picture}” has no pixels.</source>
        <translation>„{picture}“ hat keine Pixel.</translation>
    </message>
    <message>
        <source>“{picture}” is damaged and cannot be shown whole ({short}).</source>
        <translation>„{picture}“ ist beschädigt und kann nicht ganz gezeigt werden ({short}).</translation>
    </message>
    <message>
        <source>“{picture}” is not a file.</source>
        <translation>„{picture}“ ist keine Datei.</translation>
    </message>
    <message>
        <source>“{picture}” does not exist.</source>
        <translation>„{picture}“ gibt es nicht.</translation>
    </message>
    <message>
        <source>“{picture}” cannot be read ({short}).</source>
        <translation>„{picture}“ kann nicht gelesen werden ({short}).</translation>
    </message>
    <message>
        <source>“{picture}” is not a valid data URI ({short}).</source>
        <translation>„{picture}“ ist keine gültige Daten-URI ({short}).</translation>
    </message>
    <message>
        <source>“{picture}” is not a picture in a format that can be read.</source>
        <translation>„{picture}“ ist kein Bild in einem lesbaren Format.</translation>
    </message>
    <message>
        <source>“{picture}” has more than {max_pixels} pixels.</source>
        <translation>„{picture}“ hat mehr als {max_pixels} Pixel.</translation>
    </message>
    <message>
        <source>“{picture}” is damaged ({short}).</source>
        <translation>„{picture}“ ist beschädigt ({short}).</translation>
    </message>
    <message>
        <source>“{picture}” is a {name}, not a picture.</source>
        <translation>„{picture}“ ist ein {name}, kein Bild.</translation>
    </message>
    <message>
        <source>a state was not kept on disk: {error}</source>
        <translation>ein Zustand wurde nicht auf der Festplatte behalten: {error}</translation>
    </message>
    <message>
        <source>features were not kept on disk: {error}</source>
        <translation>Merkmale wurden nicht auf der Festplatte behalten: {error}</translation>
    </message>
    <message>
        <source>the disk could not keep up, a state was not written</source>
        <translation>die Festplatte kam nicht nach, ein Zustand wurde nicht geschrieben</translation>
    </message>
    <message>
        <source>The disk cache could not be used: {strerror}.</source>
        <translation>Der Festplatten-Cache konnte nicht benutzt werden: {strerror}.</translation>
    </message>
    <message>
        <source>The disk cache could not be used: {error}.</source>
        <translation>Der Festplatten-Cache konnte nicht benutzt werden: {error}.</translation>
    </message>
    <message>
        <source>only the first of {count} pages is used</source>
        <translation>nur die erste von {count} Seiten wird verwendet</translation>
    </message>
    <message>
        <source>only the first of {count} pictures in the file is used</source>
        <translation>nur das erste von {count} Bildern der Datei wird verwendet</translation>
    </message>
    <message>
        <source>model changed</source>
        <translation>Modell gewechselt</translation>
    </message>
    <message>
        <source>nothing is stored yet</source>
        <translation>noch ist nichts gespeichert</translation>
    </message>
    <message>
        <source>the request has image placeholders but does not say which images they are</source>
        <translation>die Anfrage hat Platzhalter für Bilder, sagt aber nicht, welche Bilder es sind</translation>
    </message>
    <message>
        <source>the text differs</source>
        <translation>der Text weicht ab</translation>
    </message>
    <message>
        <source>the system prompt differs</source>
        <translation>der System-Prompt weicht ab</translation>
    </message>
    <message>
        <source>the cache is switched off</source>
        <translation>der Cache ist abgeschaltet</translation>
    </message>
    <message>
        <source>window already moved past this point</source>
        <translation>das Fenster ist schon über diese Stelle hinaus</translation>
    </message>
    <message>
        <source>this model&apos;s state cannot be shortened to this point</source>
        <translation>der Zustand dieses Modells lässt sich nicht bis zu dieser Stelle kürzen</translation>
    </message>
    <message>
        <source>shorter than the minimum of {minimum} tokens</source>
        <translation>kürzer als das Minimum von {minimum} Token</translation>
    </message>
    <message>
        <source>the stored state cannot be shortened to this point</source>
        <translation>der gespeicherte Zustand lässt sich nicht bis zu dieser Stelle kürzen</translation>
    </message>
    <message>
        <source>token matches</source>
        <translation>Token stimmt überein</translation>
    </message>
    <message>
        <source>tokens match</source>
        <translation>Token stimmen überein</translation>
    </message>
    <message>
        <source>window already moved past this point ({common} {noun})</source>
        <translation>das Fenster ist schon über diese Stelle hinaus ({common} {noun})</translation>
    </message>
    <message>
        <source>first {common} {noun}; then {cause}</source>
        <translation>die ersten {common} {noun}; dann: {cause}</translation>
    </message>
    <message>
        <source>image {inside} is not shared as a whole</source>
        <translation>Bild {inside} ist nicht als Ganzes gemeinsam</translation>
    </message>
    <message>
        <source>image {image} is new</source>
        <translation>Bild {image} ist neu</translation>
    </message>
    <message>
        <source>an image was taken away</source>
        <translation>ein Bild wurde entfernt</translation>
    </message>
    <message>
        <source>no stored prompt begins like this one</source>
        <translation>kein gespeicherter Prompt beginnt wie dieser</translation>
    </message>
    <message>
        <source>the rest is new</source>
        <translation>der Rest ist neu</translation>
    </message>
    <message>
        <source>{ref} is a file; a model is a folder with config.json and *.safetensors.</source>
        <translation>{ref} ist eine Datei; ein Modell ist ein Ordner mit config.json und *.safetensors.</translation>
    </message>
    <message>
        <source>There is no folder {ref}.</source>
        <translation>Es gibt keinen Ordner {ref}.</translation>
    </message>
    <message>
        <source>{ref} asks to run its own Python code ({config}), which is never done.</source>
        <translation>{ref} verlangt, eigenen Python-Code auszuführen ({config}); das geschieht nie.</translation>
    </message>
    <message>
        <source>{ref}: config.json does not say which model type it is.</source>
        <translation>{ref}: config.json nennt keinen Modelltyp.</translation>
    </message>
    <message>
        <source>{ref} has no tokenizer (tokenizer.json is missing).</source>
        <translation>{ref} hat keinen Tokenizer (tokenizer.json fehlt).</translation>
    </message>
    <message>
        <source>{ref} has no weights (*.safetensors is missing).</source>
        <translation>{ref} hat keine Gewichte (*.safetensors fehlt).</translation>
    </message>
    <message>
        <source>{ref}: {name} is cut off at {size} of {start} bytes.</source>
        <translation>{ref}: {name} bricht nach {size} von {start} Byte ab.</translation>
    </message>
    <message>
        <source>{ref}: {name} is not a JSON object.</source>
        <translation>{ref}: {name} ist kein JSON-Objekt.</translation>
    </message>
    <message>
        <source>{ref} is incomplete: {join} is missing.</source>
        <translation>{ref} ist unvollständig: {join} fehlt.</translation>
    </message>
    <message>
        <source>{ref} has pickled weights only; they can run code and are never opened.</source>
        <translation>{ref} hat nur Gewichte im Pickle-Format; sie können Code ausführen und werden nie geöffnet.</translation>
    </message>
    <message>
        <source>{ref}: {name} is damaged ({error}).</source>
        <translation>{ref}: {name} ist beschädigt ({error}).</translation>
    </message>
    <message>
        <source>{ref} is not a model folder: {name} is missing.</source>
        <translation>{ref} ist kein Modellordner: {name} fehlt.</translation>
    </message>
    <message>
        <source>{ref}: {name} cannot be read ({error}).</source>
        <translation>{ref}: {name} kann nicht gelesen werden ({error}).</translation>
    </message>
    <message>
        <source>There is no folder {repository}, and no model of that name in the local Hugging Face cache.</source>
        <translation>Es gibt keinen Ordner {repository} und kein Modell dieses Namens im lokalen Hugging-Face-Cache.</translation>
    </message>
    <message>
        <source>{name} does not think, so this thought cannot be gone on with.</source>
        <translation>{name} denkt nicht, deshalb kann dieser Gedankengang nicht fortgesetzt werden.</translation>
    </message>
    <message>
        <source>No model is loaded.</source>
        <translation>Es ist kein Modell geladen.</translation>
    </message>
    <message>
        <source>This picture is too narrow for its length: the model cannot take such proportions.</source>
        <translation>Dieses Bild ist für seine Länge zu schmal: Das Modell kann mit solchen Proportionen nicht umgehen.</translation>
    </message>
    <message>
        <source>the cache failed and was bypassed; the log has the cause</source>
        <translation>der Cache ist ausgefallen und wurde umgangen; die Ursache steht im Protokoll</translation>
    </message>
    <message>
        <source>{repository} needs {needed} GB and {free} GB are free on the disk. Free some space, or choose a smaller model.</source>
        <translation>{repository} braucht {needed} GB, und {free} GB sind auf der Festplatte frei. Bitte Platz schaffen oder ein kleineres Modell wählen.</translation>
    </message>
    <message>
        <source>{repository} asks to run its own Python code, which is never done.</source>
        <translation>{repository} verlangt, eigenen Python-Code auszuführen; das geschieht nie.</translation>
    </message>
    <message>
        <source>{repository}: config.json does not say which model type it is.</source>
        <translation>{repository}: config.json nennt keinen Modelltyp.</translation>
    </message>
    <message>
        <source>{repository} is given out only after its terms are accepted. Accept them on its page, log in on this computer with “hf auth login”, and try again.</source>
        <translation>{repository} wird erst nach Zustimmung zu den Bedingungen herausgegeben. Bitte auf der Seite zustimmen, sich auf diesem Rechner mit „hf auth login“ anmelden und es erneut versuchen.</translation>
    </message>
    <message>
        <source>{repository} does not have the version that was asked for.</source>
        <translation>{repository} hat die gewünschte Version nicht.</translation>
    </message>
    <message>
        <source>“{repository}” is not the name of a model: it must look like owner/model.</source>
        <translation>„{repository}“ ist kein Modellname: Er muss wie Besitzer/Modell aussehen.</translation>
    </message>
    <message>
        <source>in {wait} seconds</source>
        <translation>in {wait} Sekunden</translation>
    </message>
    <message>
        <source>in a few minutes</source>
        <translation>in einigen Minuten</translation>
    </message>
    <message>
        <source>The hub has had too many requests from here. Try again {when}.</source>
        <translation>Der Hub hat von hier zu viele Anfragen bekommen. Bitte {when} erneut versuchen.</translation>
    </message>
    <message>
        <source>The hub does not let you have {repository}. Log in on this computer with “hf auth login”.</source>
        <translation>Der Hub gibt {repository} nicht heraus. Bitte auf diesem Rechner mit „hf auth login“ anmelden.</translation>
    </message>
    <message>
        <source>The hub has a problem of its own at the moment (error {status}). Try again later.</source>
        <translation>Der Hub hat gerade selbst ein Problem (Fehler {status}). Bitte später erneut versuchen.</translation>
    </message>
    <message>
        <source>The hub refused to give {repository} (error {status}).</source>
        <translation>Der Hub hat {repository} nicht herausgegeben (Fehler {status}).</translation>
    </message>
    <message>
        <source>There is no public model {repository}. Check the name; a private one needs “hf auth login” on this computer first.</source>
        <translation>Es gibt kein öffentliches Modell {repository}. Bitte den Namen prüfen; ein privates braucht vorher „hf auth login“ auf diesem Rechner.</translation>
    </message>
    <message>
        <source>The hub library is set to offline mode (HF_HUB_OFFLINE). Unset it to download models.</source>
        <translation>Die Hub-Bibliothek ist auf Offline-Betrieb gestellt (HF_HUB_OFFLINE). Zum Herunterladen von Modellen diese Variable aufheben.</translation>
    </message>
    <message>
        <source>The hub cannot be reached. Check the connection and try again; what was fetched is kept.</source>
        <translation>Der Hub ist nicht erreichbar. Bitte die Verbindung prüfen und erneut versuchen; das schon Geladene bleibt erhalten.</translation>
    </message>
    <message>
        <source>The disk is full. Free some space and try again; what was fetched is kept.</source>
        <translation>Die Festplatte ist voll. Bitte Platz schaffen und erneut versuchen; das schon Geladene bleibt erhalten.</translation>
    </message>
    <message>
        <source>The model could not be written: {strerror}.</source>
        <translation>Das Modell konnte nicht geschrieben werden: {strerror}.</translation>
    </message>
    <message>
        <source>{repository} has no weights in the safetensors format.</source>
        <translation>{repository} hat keine Gewichte im Format safetensors.</translation>
    </message>
    <message>
        <source>{repository} is not a model that can be opened here: it has no config.json.</source>
        <translation>{repository} ist kein Modell, das sich hier öffnen lässt: Es hat keine config.json.</translation>
    </message>
    <message>
        <source>{repository} has pickled weights only; they can run code and are never fetched.</source>
        <translation>{repository} hat nur Gewichte im Pickle-Format; sie können Code ausführen und werden nie geladen.</translation>
    </message>
    <message>
        <source>{name} of {repository} arrived damaged and was thrown away. Try again.</source>
        <translation>{name} von {repository} kam beschädigt an und wurde verworfen. Bitte erneut versuchen.</translation>
    </message>
    <message>
        <source>{name} of {repository} has {size} bytes where the hub announced {size_2}. Try again later.</source>
        <translation>{name} von {repository} hat {size} Byte, angekündigt waren {size_2}. Bitte später erneut versuchen.</translation>
    </message>
    <message>
        <source>{ref} is of the kind {kind}, which this version cannot open.</source>
        <translation>{ref} ist von der Art {kind}, die diese Version nicht öffnen kann.</translation>
    </message>
    <message>
        <source>Checking the model folder</source>
        <translation>Modellordner wird geprüft</translation>
    </message>
    <message>
        <source>Loading the libraries</source>
        <translation>Bibliotheken werden geladen</translation>
    </message>
    <message>
        <source>{name} is of the kind {model_type}, which this version cannot open.</source>
        <translation>{name} ist von der Art {model_type}, die diese Version nicht öffnen kann.</translation>
    </message>
    <message>
        <source>Reading the weights</source>
        <translation>Gewichte werden gelesen</translation>
    </message>
    <message>
        <source>{ref} asks to run its own Python code, which is never done.</source>
        <translation>{ref} verlangt, eigenen Python-Code auszuführen; das geschieht nie.</translation>
    </message>
    <message>
        <source>{ref} cannot be opened: {first_line}</source>
        <translation>{ref} kann nicht geöffnet werden: {first_line}</translation>
    </message>
    <message>
        <source>{folder} is not an adapter: {weights} is missing.</source>
        <translation>{folder} ist kein Adapter: {weights} fehlt.</translation>
    </message>
    <message>
        <source>The adapter {parent} was made for another model: {misfits} does not fit.</source>
        <translation>Der Adapter {parent} gehört zu einem anderen Modell: {misfits} passt nicht.</translation>
    </message>
    <message>
        <source>{folder} is not an adapter: {config} cannot be read ({error}).</source>
        <translation>{folder} ist kein Adapter: {config} kann nicht gelesen werden ({error}).</translation>
    </message>
    <message>
        <source>{folder}: the weights of the adapter are damaged ({error}).</source>
        <translation>{folder}: Die Gewichte des Adapters sind beschädigt ({error}).</translation>
    </message>
    <message>
        <source>This conversation of {tokens} tokens needs about {needed} GB of memory and {available} GB are free. Remove images or text, close other programs, or use a smaller model.</source>
        <translation>Dieses Gespräch mit {tokens} Token braucht etwa {needed} GB Speicher, und {available} GB sind frei. Bitte Bilder oder Text entfernen, andere Programme schließen oder ein kleineres Modell verwenden.</translation>
    </message>
    <message>
        <source>Two different test pictures gave the same features: this model does not see images.</source>
        <translation>Zwei verschiedene Testbilder ergaben dieselben Merkmale: Dieses Modell sieht keine Bilder.</translation>
    </message>
    <message>
        <source>This family is not known well enough to reuse its state: every turn runs in full.</source>
        <translation>Diese Modellfamilie ist nicht gut genug bekannt, um ihren Zustand wiederzuverwenden: Jede Runde wird ganz berechnet.</translation>
    </message>
    <message>
        <source>{name} is {width}×{height} pixels, a shape that this model cannot take ({error}).</source>
        <translation>{name} hat {width}×{height} Pixel, eine Form, mit der dieses Modell nicht umgehen kann ({error}).</translation>
    </message>
    <message>
        <source>Reading the model</source>
        <translation>Modell wird gelesen</translation>
    </message>
    <message>
        <source>A smaller copy is made without an adapter: quantize {base}, then put {lora} on it.</source>
        <translation>Eine kleinere Kopie wird ohne Adapter gemacht: bitte {base} quantisieren und dann {lora} darauf laden.</translation>
    </message>
    <message>
        <source>{ref} is quantized already; start from the full weights.</source>
        <translation>{ref} ist schon quantisiert; bitte von den vollen Gewichten ausgehen.</translation>
    </message>
    <message>
        <source>{target} exists already. Choose another folder.</source>
        <translation>{target} gibt es schon. Bitte einen anderen Ordner wählen.</translation>
    </message>
    <message>
        <source>The copy needs about {needed} GB and {free} GB are free where {parent} is. Free some space, or choose another folder.</source>
        <translation>Die Kopie braucht etwa {needed} GB, und bei {parent} sind {free} GB frei. Bitte Platz schaffen oder einen anderen Ordner wählen.</translation>
    </message>
    <message>
        <source>Writing the smaller copy</source>
        <translation>Kleinere Kopie wird geschrieben</translation>
    </message>
    <message>
        <source>This conversation needs {needed} tokens, {pictures} of them for images, and the model takes {context}. Remove {needed_2} tokens&apos; worth of images or text, or start a new chat.</source>
        <translation>Dieses Gespräch braucht {needed} Token, davon {pictures} für Bilder, und das Modell fasst {context}. Bitte Bilder oder Text im Umfang von {needed_2} Token entfernen oder einen neuen Chat beginnen.</translation>
    </message>
    <message>
        <source>{name} takes no images. Load a model that does, or remove the images.</source>
        <translation>{name} nimmt keine Bilder. Bitte ein Modell laden, das Bilder sieht, oder die Bilder entfernen.</translation>
    </message>
    <message>
        <source>{name}: resized from {width}×{height} to {width_2}×{height_2}</source>
        <translation>{name}: von {width}×{height} auf {width_2}×{height_2} verkleinert</translation>
    </message>
    <message>
        <source>{title} must be {allowed}, not {value}.</source>
        <translation>{title}: erlaubt ist {allowed}, nicht {value}.</translation>
    </message>
    <message>
        <source>{error} The default settings are used.</source>
        <translation>{error} Es gelten die Vorgaben.</translation>
    </message>
    <message>
        <source>{name} was written by a newer version of Second Glance; what is unknown is left alone.</source>
        <translation>{name} stammt von einer neueren Version von Second Glance; Unbekanntes bleibt unberührt.</translation>
    </message>
    <message>
        <source>{name}: {error} The default is used.</source>
        <translation>{name}: {error} Es gilt die Vorgabe.</translation>
    </message>
    <message>
        <source>The settings could not be saved: {error}.</source>
        <translation>Die Einstellungen konnten nicht gespeichert werden: {error}.</translation>
    </message>
    <message>
        <source>{path} cannot be read: {strerror}.</source>
        <translation>{path} kann nicht gelesen werden: {strerror}.</translation>
    </message>
    <message>
        <source>{path} is not valid TOML: {error}.</source>
        <translation>{path} ist kein gültiges TOML: {error}.</translation>
    </message>
    <message>
        <source>There is no setting {name}; it is ignored.</source>
        <translation>Es gibt keine Einstellung {name}; sie wird übergangen.</translation>
    </message>
    <message>
        <source>For {ref}: {error} The setting for all models is used.</source>
        <translation>Für {ref}: {error} Es gilt die Einstellung für alle Modelle.</translation>
    </message>
    <message>
        <source>{name} cannot be set for {ref} alone; it is ignored.</source>
        <translation>{name} lässt sich nicht allein für {ref} einstellen; es wird übergangen.</translation>
    </message>
    <message>
        <source>For {ref}: there is no setting {name}; it is ignored.</source>
        <translation>Für {ref}: Es gibt keine Einstellung {name}; sie wird übergangen.</translation>
    </message>
    <message>
        <source>The data folder {folder} cannot be used: {strerror}.</source>
        <translation>Der Datenordner {folder} ist nicht benutzbar: {strerror}.</translation>
    </message>
    <message>
        <source>{name} cannot be read or written: {error}.</source>
        <translation>{name} kann nicht gelesen oder geschrieben werden: {error}.</translation>
    </message>
    <message>
        <source>{name} is damaged ({error}). Move it away to start with an empty list of chats.</source>
        <translation>{name} ist beschädigt ({error}). Die Datei wegbewegen, um mit einer leeren Chatliste zu beginnen.</translation>
    </message>
    <message>
        <source>A picture of this chat is gone from the data folder. Add it again.</source>
        <translation>Ein Bild dieses Chats fehlt im Datenordner. Bitte erneut hinzufügen.</translation>
    </message>
    <message>
        <source>A picture of this chat is damaged ({error}). Add it again.</source>
        <translation>Ein Bild dieses Chats ist beschädigt ({error}). Bitte erneut hinzufügen.</translation>
    </message>
    <message>
        <source>{name} could not be kept: {strerror}.</source>
        <translation>{name} konnte nicht gespeichert werden: {strerror}.</translation>
    </message>
    <message>
        <source>Second Glance is already open on {folder}{process}. Use that window, or close it first.</source>
        <translation>Second Glance ist schon geöffnet mit {folder}{process}. Bitte jenes Fenster benutzen oder zuerst schließen.</translation>
    </message>
    <message>
        <source>{path} was written by a newer version of Second Glance. Update the app to open it.</source>
        <translation>{path} stammt von einer neueren Version von Second Glance. Bitte die App aktualisieren, um die Datei zu öffnen.</translation>
    </message>
    <message>
        <source>{name} comes from a newer version of Second Glance.</source>
        <translation>{name} stammt von einer neueren Version von Second Glance.</translation>
    </message>
    <message>
        <source>{name} is incomplete: {error} is missing or wrong.</source>
        <translation>{name} ist unvollständig: {error} fehlt oder ist falsch.</translation>
    </message>
    <message>
        <source>{target} cannot be written: {strerror}.</source>
        <translation>{target} kann nicht geschrieben werden: {strerror}.</translation>
    </message>
    <message>
        <source>{name} cannot be read: {strerror}.</source>
        <translation>{name} kann nicht gelesen werden: {strerror}.</translation>
    </message>
    <message>
        <source>{name} is not a chat that Second Glance exported.</source>
        <translation>{name} ist kein Chat, den Second Glance exportiert hat.</translation>
    </message>
    <message>
        <source>No model is loaded. Choose one in the model menu.</source>
        <translation>Es ist kein Modell geladen. Bitte eines im Modellmenü wählen.</translation>
    </message>
    <message>
        <source>Loading was stopped.</source>
        <translation>Das Laden wurde angehalten.</translation>
    </message>
    <message>
        <source>Something went wrong inside Second Glance ({name}: {error}).</source>
        <translation>In Second Glance ist etwas schiefgegangen ({name}: {error}).</translation>
    </message>
</context>
<context>
    <name>SettingRow</name>
    <message>
        <source>Back to the default</source>
        <translation>Zurück zur Vorgabe</translation>
    </message>
    <message>
        <source>{help} Takes hold at the next start.</source>
        <translation>{help} Gilt ab dem nächsten Start.</translation>
    </message>
    <message>
        <source>{help} Takes hold when the model is loaded next.</source>
        <translation>{help} Gilt, wenn das Modell das nächste Mal geladen wird.</translation>
    </message>
    <message>
        <source>on</source>
        <translation>an</translation>
    </message>
    <message>
        <source>off</source>
        <translation>aus</translation>
    </message>
    <message>
        <source>empty</source>
        <translation>leer</translation>
    </message>
</context>
<context>
    <name>Settings</name>
    <message>
        <source>General</source>
        <translation>Allgemein</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Generation</source>
        <translation>Antworten</translation>
    </message>
    <message>
        <source>Caches</source>
        <translation>Caches</translation>
    </message>
    <message>
        <source>Disk cache</source>
        <translation>Festplatten-Cache</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>Darstellung</translation>
    </message>
    <message>
        <source>Advanced</source>
        <translation>Erweitert</translation>
    </message>
    <message>
        <source>Notify when an answer is ready</source>
        <translation>Melden, wenn eine Antwort fertig ist</translation>
    </message>
    <message>
        <source>Only while the window is in the background.</source>
        <translation>Nur solange das Fenster im Hintergrund ist.</translation>
    </message>
    <message>
        <source>Keep deleted chats</source>
        <translation>Gelöschte Chats aufbewahren</translation>
    </message>
    <message>
        <source>Deleted chats can be brought back for this long; then they are removed for good.</source>
        <translation>So lange lassen sich gelöschte Chats zurückholen; dann werden sie endgültig entfernt.</translation>
    </message>
    <message>
        <source>days</source>
        <translation>Tage</translation>
    </message>
    <message>
        <source>The bundled demo model, a folder with a model, or the id of a Hugging Face repository.</source>
        <translation>Das mitgelieferte Demo-Modell, ein Ordner mit einem Modell oder der Name eines Hugging-Face-Repositorys.</translation>
    </message>
    <message>
        <source>Load when the app starts</source>
        <translation>Beim Start der App laden</translation>
    </message>
    <message>
        <source>Otherwise the model is loaded with the first question.</source>
        <translation>Sonst wird das Modell mit der ersten Frage geladen.</translation>
    </message>
    <message>
        <source>Unload when not used</source>
        <translation>Bei Nichtgebrauch entladen</translation>
    </message>
    <message>
        <source>A model that was not used for this long makes room; the next question loads it again. 0 keeps it.</source>
        <translation>Ein so lange unbenutztes Modell macht Platz; die nächste Frage lädt es wieder. 0 behält es.</translation>
    </message>
    <message>
        <source>minutes</source>
        <translation>Minuten</translation>
    </message>
    <message>
        <source>Longest conversation</source>
        <translation>Längstes Gespräch</translation>
    </message>
    <message>
        <source>Pictures and the answer count too. 0 for as much as the model takes.</source>
        <translation>Bilder und Antwort zählen mit. 0 für so viel, wie das Modell fasst.</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Largest picture</source>
        <translation>Größtes Bild</translation>
    </message>
    <message>
        <source>The longer side of a picture that the model gets; larger ones are made smaller first, though not below 64. 0 leaves the size to the model.</source>
        <translation>Die längere Seite eines Bildes, das das Modell bekommt; größere werden vorher verkleinert, jedoch nicht unter 64. 0 überlässt die Größe dem Modell.</translation>
    </message>
    <message>
        <source>pixels</source>
        <translation>Pixel</translation>
    </message>
    <message>
        <source>Adapter</source>
        <translation>Adapter</translation>
    </message>
    <message>
        <source>The folder of a LoRA adapter on top of the model.</source>
        <translation>Der Ordner eines LoRA-Adapters, der auf das Modell gesetzt wird.</translation>
    </message>
    <message>
        <source>Folders with models</source>
        <translation>Ordner mit Modellen</translation>
    </message>
    <message>
        <source>One per line. Models in them are listed beside those you downloaded.</source>
        <translation>Einer pro Zeile. Modelle darin werden neben den heruntergeladenen aufgelistet.</translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>System-Prompt</translation>
    </message>
    <message>
        <source>What the model is told before a new chat. Chats can have their own.</source>
        <translation>Was dem Modell vor einem neuen Chat gesagt wird. Chats können einen eigenen haben.</translation>
    </message>
    <message>
        <source>Longest answer</source>
        <translation>Längste Antwort</translation>
    </message>
    <message>
        <source>An answer stops at this length.</source>
        <translation>Bei dieser Länge endet eine Antwort.</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>Temperatur</translation>
    </message>
    <message>
        <source>How freely the model chooses words. 0 always takes the most likely one.</source>
        <translation>Wie frei das Modell Wörter wählt. 0 nimmt immer das wahrscheinlichste.</translation>
    </message>
    <message>
        <source>Top-p</source>
        <translation>Top-p</translation>
    </message>
    <message>
        <source>Choose among the likeliest tokens that together reach this probability.</source>
        <translation>Aus den wahrscheinlichsten Token wählen, die zusammen diese Wahrscheinlichkeit erreichen.</translation>
    </message>
    <message>
        <source>Top-k</source>
        <translation>Top-k</translation>
    </message>
    <message>
        <source>Choose among this many likeliest tokens. 0 for all.</source>
        <translation>Aus so vielen der wahrscheinlichsten Token wählen. 0 für alle.</translation>
    </message>
    <message>
        <source>Min-p</source>
        <translation>Min-p</translation>
    </message>
    <message>
        <source>Leave out tokens less likely than this share of the likeliest one. 0 for none.</source>
        <translation>Token weglassen, die unwahrscheinlicher sind als dieser Anteil des wahrscheinlichsten. 0 für keine.</translation>
    </message>
    <message>
        <source>Repetition penalty</source>
        <translation>Strafe für Wiederholungen</translation>
    </message>
    <message>
        <source>Above 1, words that were already used become less likely.</source>
        <translation>Über 1 werden schon benutzte Wörter unwahrscheinlicher.</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Startwert</translation>
    </message>
    <message>
        <source>The same seed and question give the same answer. -1 takes another one each time.</source>
        <translation>Gleicher Startwert und gleiche Frage ergeben die gleiche Antwort. -1 nimmt jedes Mal einen anderen.</translation>
    </message>
    <message>
        <source>Stop at</source>
        <translation>Anhalten bei</translation>
    </message>
    <message>
        <source>An answer ends before any of these texts.</source>
        <translation>Eine Antwort endet vor jedem dieser Texte.</translation>
    </message>
    <message>
        <source>How prompts are kept</source>
        <translation>Wie Prompts behalten werden</translation>
    </message>
    <message>
        <source>Whole prompts within a memory budget, blocks that chats share, or whole prompts up to a number.</source>
        <translation>Ganze Prompts im Rahmen eines Speicherbudgets, Blöcke, die Chats sich teilen, oder ganze Prompts bis zu einer Anzahl.</translation>
    </message>
    <message>
        <source>Memory for prompts</source>
        <translation>Speicher für Prompts</translation>
    </message>
    <message>
        <source>What was read of a chat is kept here, so that only new text is run. 0 switches it off.</source>
        <translation>Was von einem Chat gelesen wurde, bleibt hier, damit nur neuer Text berechnet wird. 0 schaltet ab.</translation>
    </message>
    <message>
        <source>MB</source>
        <translation>MB</translation>
    </message>
    <message>
        <source>Memory for images</source>
        <translation>Speicher für Bilder</translation>
    </message>
    <message>
        <source>What was seen in an image is kept here, so that it is not looked at twice. 0 switches it off.</source>
        <translation>Was in einem Bild gesehen wurde, bleibt hier, damit es nicht zweimal angesehen wird. 0 schaltet ab.</translation>
    </message>
    <message>
        <source>Shortest prompt kept</source>
        <translation>Kürzester behaltener Prompt</translation>
    </message>
    <message>
        <source>Shorter beginnings are neither kept nor reused.</source>
        <translation>Kürzere Anfänge werden weder behalten noch wiederverwendet.</translation>
    </message>
    <message>
        <source>Most prompts kept</source>
        <translation>Höchstzahl behaltener Prompts</translation>
    </message>
    <message>
        <source>The oldest ones go first. Does not concern blocks.</source>
        <translation>Die ältesten weichen zuerst. Betrifft Blöcke nicht.</translation>
    </message>
    <message>
        <source>Block size</source>
        <translation>Blockgröße</translation>
    </message>
    <message>
        <source>Tokens per block, where prompts are kept in blocks.</source>
        <translation>Token pro Block, wenn Prompts in Blöcken behalten werden.</translation>
    </message>
    <message>
        <source>Store prompts compressed</source>
        <translation>Prompts komprimiert speichern</translation>
    </message>
    <message>
        <source>Takes a half or a quarter of the memory; answers may differ slightly from those without it.</source>
        <translation>Braucht die Hälfte oder ein Viertel des Speichers; Antworten können leicht abweichen.</translation>
    </message>
    <message>
        <source>Bits per number</source>
        <translation>Bit pro Zahl</translation>
    </message>
    <message>
        <source>Used where prompts are stored compressed.</source>
        <translation>Gilt, wenn Prompts komprimiert gespeichert werden.</translation>
    </message>
    <message>
        <source>bits</source>
        <translation>Bit</translation>
    </message>
    <message>
        <source>Numbers per scale</source>
        <translation>Zahlen pro Skalierung</translation>
    </message>
    <message>
        <source>Smaller groups are more exact and take more memory.</source>
        <translation>Kleinere Gruppen sind genauer und brauchen mehr Speicher.</translation>
    </message>
    <message>
        <source>Work while I type</source>
        <translation>Beim Tippen vorarbeiten</translation>
    </message>
    <message>
        <source>Images are looked at, and the chat so far is read, before you press Enter.</source>
        <translation>Bilder werden angesehen und der bisherige Chat gelesen, bevor die Eingabetaste gedrückt wird.</translation>
    </message>
    <message>
        <source>Also on battery</source>
        <translation>Auch im Akkubetrieb</translation>
    </message>
    <message>
        <source>Work while I type even without mains power.</source>
        <translation>Auch ohne Netzstrom beim Tippen vorarbeiten.</translation>
    </message>
    <message>
        <source>Keep prompts and images on disk</source>
        <translation>Prompts und Bilder auf der Festplatte behalten</translation>
    </message>
    <message>
        <source>What leaves memory is kept on disk and reused after a restart. Incognito chats never are.</source>
        <translation>Was den Speicher verlässt, bleibt auf der Festplatte und wird nach einem Neustart wiederverwendet. Inkognito-Chats nie.</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>Where the disk cache lives. Empty for the app&apos;s data folder.</source>
        <translation>Wo der Festplatten-Cache liegt. Leer für den Datenordner der App.</translation>
    </message>
    <message>
        <source>Size limit</source>
        <translation>Größengrenze</translation>
    </message>
    <message>
        <source>Everything in the folder counts. The oldest entries go first.</source>
        <translation>Alles im Ordner zählt. Die ältesten Einträge weichen zuerst.</translation>
    </message>
    <message>
        <source>GB</source>
        <translation>GB</translation>
    </message>
    <message>
        <source>Keep unused entries</source>
        <translation>Unbenutzte Einträge behalten</translation>
    </message>
    <message>
        <source>Entries unused for longer are removed. 0 keeps them.</source>
        <translation>Länger unbenutzte Einträge werden entfernt. 0 behält sie.</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>Farbschema</translation>
    </message>
    <message>
        <source>Colours of the window.</source>
        <translation>Farben des Fensters.</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>Language of the window; English where the system&apos;s own is not among these.</source>
        <translation>Sprache des Fensters; Englisch, wenn die des Systems nicht dabei ist.</translation>
    </message>
    <message>
        <source>Text size</source>
        <translation>Textgröße</translation>
    </message>
    <message>
        <source>Size of all text.</source>
        <translation>Größe des gesamten Textes.</translation>
    </message>
    <message>
        <source>%</source>
        <translation>%</translation>
    </message>
    <message>
        <source>Reduce motion</source>
        <translation>Bewegung verringern</translation>
    </message>
    <message>
        <source>The cache panel and its bars are there at once, without sliding.</source>
        <translation>Die Cache-Ansicht und ihre Balken erscheinen sofort, ohne zu gleiten.</translation>
    </message>
    <message>
        <source>Tokens per step while reading</source>
        <translation>Token pro Schritt beim Lesen</translation>
    </message>
    <message>
        <source>Larger steps can be faster; smaller ones stop sooner and need less memory at once.</source>
        <translation>Größere Schritte können schneller sein; kleinere halten früher an und brauchen weniger Speicher auf einmal.</translation>
    </message>
    <message>
        <source>Processor threads</source>
        <translation>Prozessor-Threads</translation>
    </message>
    <message>
        <source>For calculations on the processor (Linux). 0 for one per core, at most 8.</source>
        <translation>Für Berechnungen auf dem Prozessor (Linux). 0 für einen pro Kern, höchstens 8.</translation>
    </message>
    <message>
        <source>Log level</source>
        <translation>Protokollstufe</translation>
    </message>
    <message>
        <source>How much is written to the log file. No text or image of a chat ever is.</source>
        <translation>Wie viel ins Protokoll geschrieben wird. Text oder Bild eines Chats nie.</translation>
    </message>
</context>
<context>
    <name>SiblingSwitch</name>
    <message>
        <source>Previous version</source>
        <translation>Vorige Version</translation>
    </message>
    <message>
        <source>Next version</source>
        <translation>Nächste Version</translation>
    </message>
    <message>
        <source>Version {number} of {total}</source>
        <translation>Version {number} von {total}</translation>
    </message>
</context>
<context>
    <name>Sidebar</name>
    <message>
        <source>pinned</source>
        <translation>angeheftet</translation>
    </message>
    <message>
        <source>Pinned</source>
        <translation>Angeheftet</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>Heute</translation>
    </message>
    <message>
        <source>Earlier</source>
        <translation>Früher</translation>
    </message>
    <message>
        <source>Chats</source>
        <translation>Chats</translation>
    </message>
    <message>
        <source>No chats yet</source>
        <translation>Noch keine Chats</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>Nichts gefunden</translation>
    </message>
    <message>
        <source>Search chats</source>
        <translation>Chats durchsuchen</translation>
    </message>
    <message>
        <source>Delete chat</source>
        <translation>Chat löschen</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>Lösen</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>Anheften</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Umbenennen</translation>
    </message>
    <message>
        <source>Move to folder…</source>
        <translation>In Ordner verschieben…</translation>
    </message>
    <message>
        <source>Delete chats</source>
        <translation>Chats löschen</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
</context>
<context>
    <name>Sparkline</name>
    <message>
        <source>Cache size over the last five minutes</source>
        <translation>Größe des Caches in den letzten fünf Minuten</translation>
    </message>
    <message>
        <source>Line: bytes kept. Ticks: hits above, misses and evictions below.</source>
        <translation>Linie: gespeicherte Bytes. Striche: Treffer oben, Fehlschläge und Verdrängtes unten.</translation>
    </message>
    <message>
        <source>{size} now</source>
        <translation>jetzt {size}</translation>
    </message>
</context>
<context>
    <name>StatusDot</name>
    <message>
        <source>Model: {state}</source>
        <translation>Modell: {state}</translation>
    </message>
</context>
<context>
    <name>Thinking</name>
    <message>
        <source>Thinking…</source>
        <translation>Denkt nach…</translation>
    </message>
    <message>
        <source>Thoughts</source>
        <translation>Gedanken</translation>
    </message>
</context>
<context>
    <name>ThumbnailButton</name>
    <message>
        <source>Image</source>
        <translation>Bild</translation>
    </message>
</context>
<context>
    <name>Thumbnails</name>
    <message>
        <source>The picture cannot be shown.</source>
        <translation>Das Bild kann nicht gezeigt werden.</translation>
    </message>
</context>
<context>
    <name>TierWidget</name>
    <message>
        <source>{tier} cache</source>
        <translation>{tier}-Cache</translation>
    </message>
    <message>
        <source>List the entries of this cache: {tier}</source>
        <translation>Einträge dieses Caches auflisten: {tier}</translation>
    </message>
</context>
<context>
    <name>Toast</name>
    <message>
        <source>Notice</source>
        <translation>Hinweis</translation>
    </message>
    <message>
        <source>Action</source>
        <translation>Aktion</translation>
    </message>
</context>
<context>
    <name>Toolbar</name>
    <message>
        <source>Title of this chat</source>
        <translation>Titel dieses Chats</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Main menu</source>
        <translation>Hauptmenü</translation>
    </message>
</context>
<context>
    <name>Transfer</name>
    <message>
        <source>Markdown with a folder of images (*.md)</source>
        <translation>Markdown mit einem Bilderordner (*.md)</translation>
    </message>
    <message>
        <source>Chat file that can be imported again (*.json)</source>
        <translation>Chat-Datei, die sich wieder importieren lässt (*.json)</translation>
    </message>
    <message>
        <source>PDF document (*.pdf)</source>
        <translation>PDF-Dokument (*.pdf)</translation>
    </message>
    <message>
        <source>Exported to {name}</source>
        <translation>Exportiert nach {name}</translation>
    </message>
    <message>
        <source>Writing {name}…</source>
        <translation>{name} wird geschrieben…</translation>
    </message>
    <message>
        <source>There is nothing to print in a new chat.</source>
        <translation>In einem neuen Chat gibt es nichts zu drucken.</translation>
    </message>
    <message>
        <source>Printing…</source>
        <translation>Wird gedruckt…</translation>
    </message>
    <message>
        <source>Sent to the printer</source>
        <translation>An den Drucker gesendet</translation>
    </message>
    <message>
        <source>There is nothing to export in a new chat.</source>
        <translation>In einem neuen Chat gibt es nichts zu exportieren.</translation>
    </message>
    <message>
        <source>Export chat</source>
        <translation>Chat exportieren</translation>
    </message>
    <message>
        <source>{name} is there already. Replace it?</source>
        <translation>{name} gibt es schon. Ersetzen?</translation>
    </message>
    <message>
        <source>Import chat</source>
        <translation>Chat importieren</translation>
    </message>
    <message>
        <source>chat</source>
        <comment>as the name of a file</comment>
        <translation>Chat</translation>
    </message>
</context>
<context>
    <name>Units</name>
    <message>
        <source>off</source>
        <comment>a limit of nothing</comment>
        <translation>aus</translation>
    </message>
    <message>
        <source>{used} of {limit}</source>
        <translation>{used} von {limit}</translation>
    </message>
    <message>
        <source>just now</source>
        <translation>gerade eben</translation>
    </message>
    <message numerus="yes">
        <source>%Ln&#x202f;min ago</source>
        <translation>
            <numerusform>vor %Ln&#x202f;min</numerusform>
            <numerusform>vor %Ln&#x202f;min</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln&#x202f;h ago</source>
        <translation>
            <numerusform>vor %Ln&#x202f;h</numerusform>
            <numerusform>vor %Ln&#x202f;h</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln day(s) ago</source>
        <translation>
            <numerusform>vor %Ln Tag</numerusform>
            <numerusform>vor %Ln Tagen</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>UserMessage</name>
    <message>
        <source>You</source>
        <translation>Ich</translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>System-Prompt</translation>
    </message>
    <message>
        <source>Copy message</source>
        <translation>Nachricht kopieren</translation>
    </message>
    <message>
        <source>Edit and send again</source>
        <translation>Bearbeiten und erneut senden</translation>
    </message>
    <message>
        <source>Edit message</source>
        <translation>Nachricht bearbeiten</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Send again</source>
        <translation>Erneut senden</translation>
    </message>
</context>
<context>
    <name>Words</name>
    <message numerus="yes">
        <source>%Ln token(s)</source>
        <translation>
            <numerusform>%Ln Token</numerusform>
            <numerusform>%Ln Token</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln prompt token(s)</source>
        <translation>
            <numerusform>%Ln Prompt-Token</numerusform>
            <numerusform>%Ln Prompt-Token</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln image(s)</source>
        <translation>
            <numerusform>%Ln Bild</numerusform>
            <numerusform>%Ln Bilder</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln entries</source>
        <translation>
            <numerusform>%Ln Eintrag</numerusform>
            <numerusform>%Ln Einträge</numerusform>
        </translation>
    </message>
    <message>
        <source>under {seconds}&#x202f;s</source>
        <translation>unter {seconds}&#x202f;s</translation>
    </message>
    <message>
        <source>{minutes}&#x202f;min {seconds}&#x202f;s</source>
        <translation>{minutes}&#x202f;min {seconds}&#x202f;s</translation>
    </message>
    <message>
        <source>{seconds}&#x202f;s</source>
        <translation>{seconds}&#x202f;s</translation>
    </message>
    <message>
        <source>{minutes}&#x202f;min</source>
        <translation>{minutes}&#x202f;min</translation>
    </message>
    <message>
        <source>{number}&#x202f;%</source>
        <translation>{number}&#x202f;%</translation>
    </message>
    <message>
        <source>{number} tokens/s</source>
        <translation>{number} Token/s</translation>
    </message>
    <message>
        <source>, </source>
        <comment>between the parts of a list</comment>
        <translation>, </translation>
    </message>
    <message>
        <source>{first} {second}</source>
        <comment>one sentence after the other</comment>
        <translation>{first} {second}</translation>
    </message>
    <message>
        <source>.</source>
        <comment>full stop</comment>
        <translation>.</translation>
    </message>
</context>
</TS>
