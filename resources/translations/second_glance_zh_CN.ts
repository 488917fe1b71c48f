<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>AboutDialog</name>
    <message>
        <source>About Second Glance</source>
        <translation>关于 Second Glance</translation>
    </message>
    <message>
        <source>Licences</source>
        <translation>许可证</translation>
    </message>
    <message>
        <source>Whose licence is shown</source>
        <translation>显示谁的许可证</translation>
    </message>
    <message>
        <source>What it is built on</source>
        <translation>所用组件</translation>
    </message>
    <message>
        <source>Version {version}, licensed under {licence}</source>
        <translation>版本 {version}，按 {licence} 许可</translation>
    </message>
    <message>
        <source>Chat with pictures on your own computer, and see what was reused.</source>
        <translation>在自己的电脑上就图片对话，并看到哪些内容被复用。</translation>
    </message>
    <message>
        <source>Copy the versions</source>
        <translation>复制版本信息</translation>
    </message>
</context>
<context>
    <name>Actions</name>
    <message>
        <source>New chat</source>
        <translation>新对话</translation>
    </message>
    <message>
        <source>New incognito chat</source>
        <translation>新的无痕对话</translation>
    </message>
    <message>
        <source>Add images…</source>
        <translation>添加图片…</translation>
    </message>
    <message>
        <source>Capture screen…</source>
        <translation>截取屏幕…</translation>
    </message>
    <message>
        <source>Pictures of this chat…</source>
        <translation>此对话的图片…</translation>
    </message>
    <message>
        <source>Export chat…</source>
        <translation>导出对话…</translation>
    </message>
    <message>
        <source>Import chat…</source>
        <translation>导入对话…</translation>
    </message>
    <message>
        <source>Print…</source>
        <translation>打印…</translation>
    </message>
    <message>
        <source>Find in chat</source>
        <translation>在对话中查找</translation>
    </message>
    <message>
        <source>Search chats</source>
        <translation>搜索对话</translation>
    </message>
    <message>
        <source>Rename chat</source>
        <translation>重命名对话</translation>
    </message>
    <message>
        <source>Pin or unpin chat</source>
        <translation>置顶或取消置顶对话</translation>
    </message>
    <message>
        <source>System prompt of this chat…</source>
        <translation>此对话的系统提示词…</translation>
    </message>
    <message>
        <source>Delete chat</source>
        <translation>删除对话</translation>
    </message>
    <message>
        <source>Deleted chats…</source>
        <translation>已删除的对话…</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Continue the answer</source>
        <translation>继续回答</translation>
    </message>
    <message>
        <source>Sidebar</source>
        <translation>侧边栏</translation>
    </message>
    <message>
        <source>Cache panel</source>
        <translation>缓存面板</translation>
    </message>
    <message>
        <source>Settings…</source>
        <translation>设置…</translation>
    </message>
    <message>
        <source>Command palette…</source>
        <translation>命令面板…</translation>
    </message>
    <message>
        <source>Larger text</source>
        <translation>放大文字</translation>
    </message>
    <message>
        <source>Smaller text</source>
        <translation>缩小文字</translation>
    </message>
    <message>
        <source>Usual text size</source>
        <translation>默认文字大小</translation>
    </message>
    <message>
        <source>Clear all caches</source>
        <translation>清空所有缓存</translation>
    </message>
    <message>
        <source>Models…</source>
        <translation>模型…</translation>
    </message>
    <message>
        <source>Choose model folder…</source>
        <translation>选择模型文件夹…</translation>
    </message>
    <message>
        <source>Demo model</source>
        <translation>演示模型</translation>
    </message>
    <message>
        <source>Unload model</source>
        <translation>卸载模型</translation>
    </message>
    <message>
        <source>Open log folder</source>
        <translation>打开日志文件夹</translation>
    </message>
    <message>
        <source>About Second Glance…</source>
        <translation>关于 Second Glance…</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
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
        <translation>回答完毕</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Copy answer</source>
        <translation>复制回答</translation>
    </message>
    <message>
        <source>Answer again</source>
        <translation>重新回答</translation>
    </message>
    <message>
        <source>Go on from here in a new chat</source>
        <translation>从这里在新对话中继续</translation>
    </message>
    <message>
        <source>This answer failed.</source>
        <translation>此回答失败。</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>已停止。</translation>
    </message>
    <message>
        <source>Stopped at the length limit of the settings.</source>
        <translation>已达到设置中的长度上限而停止。</translation>
    </message>
    <message>
        <source>Stopped because the context is full.</source>
        <translation>上下文已满而停止。</translation>
    </message>
    <message>
        <source>Stopped because the answer repeats itself.</source>
        <translation>回答不断重复而停止。</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
</context>
<context>
    <name>Attachment</name>
    <message>
        <source>The same picture as number {number}</source>
        <translation>与第 {number} 张图片相同</translation>
    </message>
    <message>
        <source>Remove {name}</source>
        <translation>移除 {name}</translation>
    </message>
    <message>
        <source>Remove (Delete)</source>
        <translation>移除（Delete）</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
</context>
<context>
    <name>AttachmentStrip</name>
    <message>
        <source>Attached pictures</source>
        <translation>已添加的图片</translation>
    </message>
</context>
<context>
    <name>Badge</name>
    <message>
        <source>Opening</source>
        <translation>正在打开</translation>
    </message>
    <message>
        <source>New: it will be looked at when you send</source>
        <translation>新图片：发送时才会查看</translation>
    </message>
    <message>
        <source>Being looked at while you type</source>
        <translation>正在您输入时查看</translation>
    </message>
    <message>
        <source>Seen before: ready</source>
        <translation>已看过：就绪</translation>
    </message>
    <message>
        <source>Partly seen before</source>
        <translation>部分已看过</translation>
    </message>
    <message>
        <source>Not usable with this model</source>
        <translation>此模型无法使用</translation>
    </message>
    <message>
        <source>Not usable</source>
        <translation>无法使用</translation>
    </message>
</context>
<context>
    <name>BlockSelection</name>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>全选</translation>
    </message>
</context>
<context>
    <name>Budget</name>
    <message>
        <source>{percent} of {memory} in this computer.</source>
        <translation>占此电脑 {memory} 内存的 {percent}。</translation>
    </message>
    <message>
        <source>{percent} of {memory} in this computer. {used} used now.</source>
        <translation>占此电脑 {memory} 内存的 {percent}。目前已用 {used}。</translation>
    </message>
    <message>
        <source>{percent} of {memory} in this computer. {used} used now; {surplus} would go.</source>
        <translation>占此电脑 {memory} 内存的 {percent}。目前已用 {used}；其中 {surplus} 将被淘汰。</translation>
    </message>
</context>
<context>
    <name>BudgetEditor</name>
    <message>
        <source>{title}, slider</source>
        <translation>{title}，滑块</translation>
    </message>
</context>
<context>
    <name>CachePanel</name>
    <message>
        <source>Cache panel</source>
        <translation>缓存面板</translation>
    </message>
    <message>
        <source>Memory used by all caches</source>
        <translation>所有缓存占用的内存</translation>
    </message>
    <message>
        <source>What MLX reports (active and peak memory): the model&apos;s weights, the caches, and work under way.</source>
        <translation>MLX 报告的数值（当前与峰值内存）：模型权重、缓存和正在进行的工作。</translation>
    </message>
    <message>
        <source>Entries</source>
        <translation>条目</translation>
    </message>
    <message>
        <source>Events</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>{used} in memory</source>
        <translation>内存中 {used}</translation>
    </message>
    <message>
        <source>Nothing kept yet</source>
        <translation>尚未保存任何内容</translation>
    </message>
    <message>
        <source>Drop the same screenshot twice and watch this panel: the second time, the image is not looked at again, and only new text is run.</source>
        <translation>把同一张截图拖入两次并观察此面板：第二次不会再查看图片，只计算新的文字。</translation>
    </message>
    <message>
        <source>Last 5 minutes</source>
        <translation>最近 5 分钟</translation>
    </message>
    <message>
        <source>Last answer</source>
        <translation>上一条回答</translation>
    </message>
    <message>
        <source>Cache</source>
        <translation>缓存</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>清空</translation>
    </message>
    <message>
        <source>Clear caches</source>
        <translation>清空缓存</translation>
    </message>
    <message>
        <source>Budgets…</source>
        <translation>预算…</translation>
    </message>
    <message>
        <source>Change the budgets of the caches</source>
        <translation>更改缓存预算</translation>
    </message>
</context>
<context>
    <name>Capture</name>
    <message>
        <source>The command “screencapture” of macOS was not found.</source>
        <translation>未找到 macOS 的“screencapture”命令。</translation>
    </message>
    <message>
        <source>This desktop does not let apps ask for a picture of the screen: it has no desktop portal with a part for screenshots (xdg-desktop-portal).</source>
        <translation>此桌面不允许应用请求屏幕图片：没有支持截图的桌面门户（xdg-desktop-portal）。</translation>
    </message>
    <message>
        <source>The desktop did not hand over a picture of the screen.</source>
        <translation>桌面没有提供屏幕图片。</translation>
    </message>
    <message>
        <source>This system has no tool that lets an app ask for a picture of the screen.</source>
        <translation>此系统没有可供应用请求屏幕图片的工具。</translation>
    </message>
</context>
<context>
    <name>ChatDetails</name>
    <message>
        <source>System prompt</source>
        <translation>系统提示词</translation>
    </message>
    <message>
        <source>What the model is told before this chat. Empty for the one in the settings.</source>
        <translation>此对话开始前告诉模型的内容。留空则使用设置中的内容。</translation>
    </message>
    <message>
        <source>Move to folder</source>
        <translation>移动到文件夹</translation>
    </message>
    <message>
        <source>Name of the folder. Empty for none.</source>
        <translation>文件夹名称。留空表示不使用文件夹。</translation>
    </message>
</context>
<context>
    <name>Chats</name>
    <message>
        <source>Chat deleted</source>
        <translation>对话已删除</translation>
    </message>
    <message numerus="yes">
        <source>%Ln chat(s) deleted</source>
        <translation>
            <numerusform>已删除 %Ln 个对话</numerusform>
        </translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>New incognito chat</source>
        <translation>新的无痕对话</translation>
    </message>
</context>
<context>
    <name>Checks</name>
    <message>
        <source>{folder} has no adapter_config.json.</source>
        <translation>{folder} 中没有 adapter_config.json。</translation>
    </message>
    <message>
        <source>{path} is a file, not a folder.</source>
        <translation>{path} 是文件，不是文件夹。</translation>
    </message>
    <message>
        <source>{folder} cannot be written ({reason}). Choose another folder.</source>
        <translation>无法写入 {folder}（{reason}）。请选择其他文件夹。</translation>
    </message>
</context>
<context>
    <name>Choices</name>
    <message>
        <source>As the system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Whole prompts, by memory</source>
        <translation>完整提示词，按内存</translation>
    </message>
    <message>
        <source>Shared blocks</source>
        <translation>共享块</translation>
    </message>
    <message>
        <source>Whole prompts, by number</source>
        <translation>完整提示词，按数量</translation>
    </message>
    <message>
        <source>Debug</source>
        <translation>调试</translation>
    </message>
    <message>
        <source>Info</source>
        <translation>信息</translation>
    </message>
    <message>
        <source>Warnings only</source>
        <translation>仅警告</translation>
    </message>
    <message>
        <source>{title} must be {allowed}, not “{value}”.</source>
        <translation>{title}应为 {allowed}，而不是“{value}”。</translation>
    </message>
    <message>
        <source>{least} to {most}</source>
        <translation>{least} 到 {most}</translation>
    </message>
    <message>
        <source>Give the whole path of the folder.</source>
        <translation>请给出文件夹的完整路径。</translation>
    </message>
</context>
<context>
    <name>CodeBlock</name>
    <message>
        <source>Code, {language}</source>
        <translation>代码，{language}</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>代码</translation>
    </message>
    <message>
        <source>code</source>
        <translation>代码</translation>
    </message>
    <message>
        <source>Copy code</source>
        <translation>复制代码</translation>
    </message>
</context>
<context>
    <name>CommandCapture</name>
    <message>
        <source>The screen could not be captured: {reason}</source>
        <translation>无法截取屏幕：{reason}</translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message>
        <source>Add images</source>
        <translation>添加图片</translation>
    </message>
    <message>
        <source>Images (*.png *.jpg *.jpeg *.webp *.gif *.heic *.heif *.avif *.tif *.tiff *.bmp);;All files (*)</source>
        <translation>图片 (*.png *.jpg *.jpeg *.webp *.gif *.heic *.heif *.avif *.tif *.tiff *.bmp);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Add images…</source>
        <translation>添加图片…</translation>
    </message>
    <message>
        <source>Ask about these pictures…</source>
        <translation>就这些图片提问…</translation>
    </message>
    <message>
        <source>Ask something, or drop pictures here</source>
        <translation>提问，或把图片拖到这里</translation>
    </message>
</context>
<context>
    <name>Crash</name>
    <message>
        <source>Second Glance crashed last time. Your chats are saved.</source>
        <translation>Second Glance 上次崩溃了。您的对话已保存。</translation>
    </message>
    <message>
        <source>Copy report</source>
        <translation>复制报告</translation>
    </message>
</context>
<context>
    <name>DeletedChats</name>
    <message>
        <source>Deleted chats</source>
        <translation>已删除的对话</translation>
    </message>
    <message>
        <source>There are no deleted chats.</source>
        <translation>没有已删除的对话。</translation>
    </message>
    <message>
        <source>Deleted chats are removed for good when Second Glance starts the next time.</source>
        <translation>已删除的对话将在 Second Glance 下次启动时彻底移除。</translation>
    </message>
    <message numerus="yes">
        <source>A deleted chat can be brought back for %Ln day(s); then it is removed for good.</source>
        <translation>
            <numerusform>已删除的对话可在 %Ln 天内恢复；之后将彻底移除。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln chat(s) and all that was said there will be gone for good.</source>
        <translation>
            <numerusform>%Ln 个对话及其全部内容将彻底删除，无法恢复。</numerusform>
        </translation>
    </message>
    <message>
        <source>Delete for good</source>
        <translation>彻底删除</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>标题</translation>
    </message>
    <message>
        <source>Deleted</source>
        <translation>删除时间</translation>
    </message>
    <message>
        <source>Bring back</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Delete for good…</source>
        <translation>彻底删除…</translation>
    </message>
</context>
<context>
    <name>DownloadRow</name>
    <message>
        <source>Get</source>
        <translation>下载</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
</context>
<context>
    <name>DropOverlay</name>
    <message>
        <source>Drop to attach</source>
        <translation>松开即可添加</translation>
    </message>
</context>
<context>
    <name>EarlierPicture</name>
    <message>
        <source>Image</source>
        <translation>图片</translation>
    </message>
</context>
<context>
    <name>EarlierPictures</name>
    <message>
        <source>Pictures of this chat</source>
        <translation>此对话的图片</translation>
    </message>
    <message>
        <source>Enter or a click attaches a picture again.</source>
        <translation>按 Enter 或点击可再次添加图片。</translation>
    </message>
</context>
<context>
    <name>EmptyState</name>
    <message>
        <source>Drop or paste screenshots below and ask about them. Drop the same one again, tomorrow or in another chat: it is not looked at twice, and every answer says what was reused.</source>
        <translation>在下方拖入或粘贴截图并提问。明天或在另一个对话中再次拖入同一张：不会重复查看，每条回答都会说明复用了什么。</translation>
    </message>
    <message>
        <source>Everything runs and stays on this computer.</source>
        <translation>一切都在此电脑上运行并留在此电脑上。</translation>
    </message>
    <message>
        <source>Add images…</source>
        <translation>添加图片…</translation>
    </message>
    <message>
        <source>Add images</source>
        <translation>添加图片</translation>
    </message>
    <message>
        <source>Choose a model…</source>
        <translation>选择模型…</translation>
    </message>
    <message>
        <source>Choose a model</source>
        <translation>选择模型</translation>
    </message>
</context>
<context>
    <name>Entries</name>
    <message>
        <source>Prompt</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>Picture</source>
        <translation>图片</translation>
    </message>
    <message>
        <source>Prepared pictures</source>
        <translation>已预处理的图片</translation>
    </message>
    <message>
        <source>Last used</source>
        <translation>最近使用</translation>
    </message>
    <message>
        <source>Newest</source>
        <translation>最新</translation>
    </message>
    <message>
        <source>Largest</source>
        <translation>最大</translation>
    </message>
    <message>
        <source>Most tokens</source>
        <translation>token 最多</translation>
    </message>
    <message>
        <source>shared blocks</source>
        <translation>共享块</translation>
    </message>
    <message>
        <source>in use</source>
        <translation>使用中</translation>
    </message>
    <message>
        <source>Kept {ago}</source>
        <translation>保存于{ago}</translation>
    </message>
    <message>
        <source>Used {ago}</source>
        <translation>使用于{ago}</translation>
    </message>
    <message>
        <source>Shares its blocks with other prompts</source>
        <translation>与其他提示词共享块</translation>
    </message>
    <message>
        <source>In use now: cannot be evicted</source>
        <translation>正在使用：不会被淘汰</translation>
    </message>
    <message>
        <source>Of another model</source>
        <translation>属于其他模型</translation>
    </message>
    <message numerus="yes">
        <source>{tokens}, %Ln of them for pictures</source>
        <translation>
            <numerusform>{tokens}，其中 %Ln 个用于图片</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EntryList</name>
    <message>
        <source>Nothing is kept here.</source>
        <translation>这里没有保存内容。</translation>
    </message>
    <message>
        <source>Cache entries</source>
        <translation>缓存条目</translation>
    </message>
    <message>
        <source>Tier of the entries</source>
        <translation>条目所在层</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Order of the entries</source>
        <translation>条目排序</translation>
    </message>
</context>
<context>
    <name>FindBar</name>
    <message>
        <source>Find in this chat</source>
        <translation>在此对话中查找</translation>
    </message>
    <message>
        <source>The message before with these words</source>
        <translation>上一条包含这些文字的消息</translation>
    </message>
    <message>
        <source>The next message with these words</source>
        <translation>下一条包含这些文字的消息</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>{number} of {total}</source>
        <translation>第 {number} 个，共 {total} 个</translation>
    </message>
    <message>
        <source>Not found</source>
        <translation>未找到</translation>
    </message>
</context>
<context>
    <name>FolderEditor</name>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Choose: {title}</source>
        <translation>选择：{title}</translation>
    </message>
</context>
<context>
    <name>Gallery</name>
    <message>
        <source>No picture has been sent in this chat yet.</source>
        <translation>此对话中尚未发送图片。</translation>
    </message>
</context>
<context>
    <name>ImageNotes</name>
    <message numerus="yes">
        <source>{known} of %Ln tile(s) known</source>
        <translation>
            <numerusform>%Ln 个图块中已知 {known} 个</numerusform>
        </translation>
    </message>
    <message>
        <source>{sizes}, {tokens}</source>
        <translation>{sizes}，{tokens}</translation>
    </message>
</context>
<context>
    <name>LatestButton</name>
    <message>
        <source>Latest</source>
        <translation>最新</translation>
    </message>
    <message>
        <source>Go to the latest message</source>
        <translation>转到最新消息</translation>
    </message>
</context>
<context>
    <name>Library</name>
    <message>
        <source>Waiting for its turn</source>
        <translation>正在排队等待</translation>
    </message>
    <message>
        <source>Looking for models failed: {error}</source>
        <translation>查找模型失败：{error}</translation>
    </message>
    <message>
        <source>Fits: up to {total} of {available}</source>
        <translation>可容纳：最多 {total}，共 {available}</translation>
    </message>
    <message>
        <source>Tight: {needed} and up to {caches} for caches, of {available}</source>
        <translation>紧张：需 {needed}，另有最多 {caches} 用于缓存，共 {available}</translation>
    </message>
    <message>
        <source>Does not fit: {needed} needed, {available} available</source>
        <translation>放不下：需要 {needed}，可用 {available}</translation>
    </message>
    <message>
        <source>Weights: {weights}</source>
        <translation>权重：{weights}</translation>
    </message>
    <message>
        <source>A conversation of {tokens}: {state}</source>
        <translation>{tokens}的对话：{state}</translation>
    </message>
    <message>
        <source>Looking at a picture: {vision}</source>
        <translation>查看一张图片：{vision}</translation>
    </message>
    <message>
        <source>Caches, when full: {caches}</source>
        <translation>缓存（占满时）：{caches}</translation>
    </message>
    <message>
        <source>Longest conversation beside it: {longest}</source>
        <translation>此外可容纳的最长对话：{longest}</translation>
    </message>
    <message>
        <source>When it was last loaded, the weights took {taken}</source>
        <translation>上次加载时权重占用 {taken}</translation>
    </message>
    <message>
        <source>{available} of memory can be used for a model here; the caches may fill {caches} of it.</source>
        <translation>此电脑可为模型使用 {available} 内存；其中缓存最多可占 {caches}。</translation>
    </message>
    <message>
        <source>about {size} · {licence} · for computers with {memory} or more</source>
        <translation>约 {size} · {licence} · 适合内存不少于 {memory} 的电脑</translation>
    </message>
    <message>
        <source>Of its own: {settings}.</source>
        <translation>单独设置：{settings}。</translation>
    </message>
    <message>
        <source>Asking what there is…</source>
        <translation>正在查询内容…</translation>
    </message>
    <message>
        <source>Paused at {amount}</source>
        <translation>已暂停：{amount}</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>Complete and checked: {size}</source>
        <translation>已完成并校验：{size}</translation>
    </message>
    <message>
        <source>Cancelled; nothing was kept</source>
        <translation>已取消，未保留任何内容</translation>
    </message>
    <message>
        <source>{size}/s</source>
        <translation>{size}/秒</translation>
    </message>
    <message>
        <source>{duration} left</source>
        <translation>剩余 {duration}</translation>
    </message>
    <message>
        <source>{done} of {total}</source>
        <translation>{done} / {total}</translation>
    </message>
    <message>
        <source>{hours}&#x202f;h {minutes}&#x202f;min</source>
        <translation>{hours} 小时 {minutes} 分</translation>
    </message>
    <message numerus="yes">
        <source>%Ln&#x202f;bit(s)</source>
        <translation>
            <numerusform>%Ln 位</numerusform>
        </translation>
    </message>
    <message>
        <source>{size} on disk</source>
        <translation>磁盘上 {size}</translation>
    </message>
    <message>
        <source>never used here</source>
        <translation>从未在此使用</translation>
    </message>
    <message>
        <source>used {ago}</source>
        <translation>使用于{ago}</translation>
    </message>
    <message>
        <source>text only</source>
        <translation>仅文字</translation>
    </message>
    <message>
        <source>did not tell two pictures apart when it was tried</source>
        <translation>试用时未能区分两张图片</translation>
    </message>
    <message>
        <source>sees images</source>
        <translation>可看图片</translation>
    </message>
</context>
<context>
    <name>LibraryDialog</name>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Add folder…</source>
        <translation>添加文件夹…</translation>
    </message>
    <message>
        <source>Add a folder with models</source>
        <translation>添加包含模型的文件夹</translation>
    </message>
    <message>
        <source>Look again</source>
        <translation>重新查找</translation>
    </message>
    <message>
        <source>Look for models again</source>
        <translation>重新查找模型</translation>
    </message>
    <message>
        <source>owner/model</source>
        <translation>所有者/模型</translation>
    </message>
    <message>
        <source>Repository to fetch</source>
        <translation>要下载的仓库</translation>
    </message>
    <message>
        <source>Get</source>
        <translation>下载</translation>
    </message>
    <message>
        <source>Get this repository</source>
        <translation>下载此仓库</translation>
    </message>
    <message>
        <source>Looking for models…</source>
        <translation>正在查找模型…</translation>
    </message>
    <message>
        <source>Choose a folder with models</source>
        <translation>选择包含模型的文件夹</translation>
    </message>
    <message>
        <source>Length of conversation to reckon with</source>
        <translation>估算所用的对话长度</translation>
    </message>
    <message>
        <source>On this computer</source>
        <translation>在此电脑上</translation>
    </message>
    <message>
        <source>Conversations of</source>
        <translation>对话长度</translation>
    </message>
    <message>
        <source>Download</source>
        <translation>下载</translation>
    </message>
    <message>
        <source>Only files that cannot run code are fetched. A download may be paused; it goes on after a restart too. The sizes below are approximate; the exact one is shown once the hub was asked.</source>
        <translation>只下载无法执行代码的文件。下载可以暂停，重启后也会继续。下面的大小为近似值；向模型库查询后会显示准确值。</translation>
    </message>
</context>
<context>
    <name>Lightbox</name>
    <message>
        <source>Previous picture</source>
        <translation>上一张图片</translation>
    </message>
    <message>
        <source>Next picture</source>
        <translation>下一张图片</translation>
    </message>
    <message>
        <source>Smaller</source>
        <translation>缩小</translation>
    </message>
    <message>
        <source>Fit to window</source>
        <translation>适合窗口</translation>
    </message>
    <message>
        <source>Larger</source>
        <translation>放大</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Opening…</source>
        <translation>正在打开…</translation>
    </message>
    <message>
        <source>{number} of {total}</source>
        <translation>第 {number} 个，共 {total} 个</translation>
    </message>
    <message>
        <source>The picture cannot be shown.</source>
        <translation>无法显示图片。</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Menu</source>
        <translation>菜单</translation>
    </message>
</context>
<context>
    <name>MessageView</name>
    <message>
        <source>Conversation</source>
        <translation>对话内容</translation>
    </message>
</context>
<context>
    <name>Mime</name>
    <message>
        <source>Only pictures from this computer can be attached. Save the picture first, or copy the picture itself.</source>
        <translation>只能添加此电脑上的图片。请先保存图片，或复制图片本身。</translation>
    </message>
    <message>
        <source>Only pictures can be attached here.</source>
        <translation>这里只能添加图片。</translation>
    </message>
    <message>
        <source>pasted image</source>
        <translation>粘贴的图片</translation>
    </message>
    <message>
        <source>“{name}” is a folder. Add the pictures inside it.</source>
        <translation>“{name}”是文件夹。请添加其中的图片。</translation>
    </message>
    <message>
        <source>“{name}” has {size}; files up to {most} can be attached.</source>
        <translation>“{name}”大小为 {size}；最大可添加 {most} 的文件。</translation>
    </message>
    <message>
        <source>“{name}” is no longer there. Add it again from where it is now.</source>
        <translation>“{name}”已不在原处。请从现在的位置重新添加。</translation>
    </message>
    <message>
        <source>“{name}” could not be read: {reason}.</source>
        <translation>无法读取“{name}”：{reason}。</translation>
    </message>
    <message>
        <source>The other program offered a picture but did not hand it over. Save it as a file and add that.</source>
        <translation>另一个程序提供了图片却没有交出。请把它存为文件后再添加。</translation>
    </message>
    <message>
        <source>The picture in the copied page is in a form that cannot be read. Copy it alone.</source>
        <translation>所复制页面中的图片格式无法读取。请单独复制图片。</translation>
    </message>
    <message>
        <source>The picture in the copied page is damaged. Copy the picture itself.</source>
        <translation>所复制页面中的图片已损坏。请复制图片本身。</translation>
    </message>
</context>
<context>
    <name>ModelLibrary</name>
    <message>
        <source>This chat had its answers from {model}.</source>
        <translation>此对话的回答来自 {model}。</translation>
    </message>
    <message>
        <source>Use it again</source>
        <translation>再次使用</translation>
    </message>
</context>
<context>
    <name>ModelRow</name>
    <message>
        <source>Load anyway</source>
        <translation>仍要加载</translation>
    </message>
    <message>
        <source>Load</source>
        <translation>加载</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Unload</source>
        <translation>卸载</translation>
    </message>
    <message>
        <source>{model} · in use</source>
        <translation>{model} · 使用中</translation>
    </message>
    <message>
        <source>More: {model}</source>
        <translation>更多：{model}</translation>
    </message>
    <message>
        <source>Settings for this model, adapter, smaller copy</source>
        <translation>此模型的设置、适配器、更小的副本</translation>
    </message>
    <message>
        <source>Settings for this model…</source>
        <translation>此模型的设置…</translation>
    </message>
    <message>
        <source>Load with an adapter…</source>
        <translation>使用适配器加载…</translation>
    </message>
    <message>
        <source>Quantize…</source>
        <translation>量化…</translation>
    </message>
    <message>
        <source>Choose the folder of a LoRA adapter</source>
        <translation>选择 LoRA 适配器文件夹</translation>
    </message>
</context>
<context>
    <name>ModelState</name>
    <message>
        <source>No model</source>
        <translation>无模型</translation>
    </message>
    <message>
        <source>Loading {percent}</source>
        <translation>加载中 {percent}</translation>
    </message>
    <message>
        <source>Loading</source>
        <translation>加载中</translation>
    </message>
    <message>
        <source>Ready on {device}</source>
        <translation>已就绪（{device}）</translation>
    </message>
    <message>
        <source>Not loaded</source>
        <translation>未加载</translation>
    </message>
    <message>
        <source>{name} does not think, so this thought cannot be gone on with.</source>
        <translation>{name} 不会思考，因此无法继续这段思考。</translation>
    </message>
    <message>
        <source>Context: {tokens}</source>
        <translation>上下文：{tokens}</translation>
    </message>
    <message>
        <source>Weights: {size}</source>
        <translation>权重：{size}</translation>
    </message>
    <message>
        <source>Text only: images cannot be used</source>
        <translation>仅文字：无法使用图片</translation>
    </message>
    <message>
        <source>Sees images</source>
        <translation>可看图片</translation>
    </message>
    <message>
        <source>Demo model</source>
        <translation>演示模型</translation>
    </message>
</context>
<context>
    <name>Models</name>
    <message>
        <source>Choose a model folder</source>
        <translation>选择模型文件夹</translation>
    </message>
    <message>
        <source>LFM2-VL 1.6B</source>
        <translation>LFM2-VL 1.6B</translation>
    </message>
    <message>
        <source>Quick looks at pictures on small machines.</source>
        <translation>在小型电脑上快速看图。</translation>
    </message>
    <message>
        <source>Qwen3-VL 4B</source>
        <translation>Qwen3-VL 4B</translation>
    </message>
    <message>
        <source>Reading screenshots, tables and small print; the first one to try.</source>
        <translation>阅读截图、表格和小字；建议首先尝试。</translation>
    </message>
    <message>
        <source>Gemma 3 4B</source>
        <translation>Gemma 3 4B</translation>
    </message>
    <message>
        <source>Describing photos, in many languages.</source>
        <translation>用多种语言描述照片。</translation>
    </message>
    <message>
        <source>SmolVLM2 2.2B</source>
        <translation>SmolVLM2 2.2B</translation>
    </message>
    <message>
        <source>Short answers about pictures, in English.</source>
        <translation>用英文简短回答图片问题。</translation>
    </message>
    <message>
        <source>Qwen3-VL 8B</source>
        <translation>Qwen3-VL 8B</translation>
    </message>
    <message>
        <source>Screenshots, documents and comparisons of pictures.</source>
        <translation>截图、文档和图片对比。</translation>
    </message>
    <message>
        <source>Gemma 3 12B</source>
        <translation>Gemma 3 12B</translation>
    </message>
    <message>
        <source>Longer conversations about photos, in many languages.</source>
        <translation>用多种语言就照片进行较长的对话。</translation>
    </message>
    <message>
        <source>Qwen3-VL 30B-A3B</source>
        <translation>Qwen3-VL 30B-A3B</translation>
    </message>
    <message>
        <source>The most exact of these; quick for its size.</source>
        <translation>其中最精确；就其规模而言速度快。</translation>
    </message>
</context>
<context>
    <name>Note</name>
    <message>
        <source>Details of the failure</source>
        <translation>失败详情</translation>
    </message>
    <message>
        <source>Show details</source>
        <translation>显示详情</translation>
    </message>
    <message>
        <source>Copy details</source>
        <translation>复制详情</translation>
    </message>
</context>
<context>
    <name>Opener</name>
    <message>
        <source>“{name}” could not be opened.</source>
        <translation>无法打开“{name}”。</translation>
    </message>
</context>
<context>
    <name>OwnSettingsDialog</name>
    <message>
        <source>Settings for {model}</source>
        <translation>{model} 的设置</translation>
    </message>
    <message>
        <source>What you change here holds for this model only. Everything else is as in the settings.</source>
        <translation>此处的更改仅适用于此模型。其余均与设置相同。</translation>
    </message>
    <message>
        <source>Back to what holds for all models</source>
        <translation>恢复为所有模型通用的值</translation>
    </message>
</context>
<context>
    <name>Pages</name>
    <message>
        <source>Shortcuts</source>
        <translation>快捷键</translation>
    </message>
    <message>
        <source>Everything runs on this computer. Nothing is sent anywhere: no telemetry, no update check, no account.</source>
        <translation>一切都在此电脑上运行。不会向任何地方发送内容：无遥测、无更新检查、无账户。</translation>
    </message>
    <message>
        <source>The network is used only when you download a model yourself.</source>
        <translation>只有在您自己下载模型时才使用网络。</translation>
    </message>
    <message>
        <source>Chats and images are kept until you delete them. Incognito chats are kept in memory only, and their text and images never reach the disk cache.</source>
        <translation>对话和图片会保留到您删除为止。无痕对话只保存在内存中，其文字和图片绝不会进入磁盘缓存。</translation>
    </message>
    <message>
        <source>Logs hold no text and no image of a chat.</source>
        <translation>日志不包含对话的文字和图片。</translation>
    </message>
    <message>
        <source>Chats, images and logs</source>
        <translation>对话、图片和日志</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Privacy</source>
        <translation>隐私</translation>
    </message>
</context>
<context>
    <name>Palette</name>
    <message>
        <source>Command palette</source>
        <translation>命令面板</translation>
    </message>
    <message>
        <source>What do you want to do?</source>
        <translation>您想做什么？</translation>
    </message>
    <message>
        <source>Find a command</source>
        <translation>查找命令</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>命令</translation>
    </message>
</context>
<context>
    <name>Panel</name>
    <message>
        <source>Prefix</source>
        <translation>前缀</translation>
    </message>
    <message>
        <source>Vision</source>
        <translation>视觉</translation>
    </message>
    <message>
        <source>Disk</source>
        <translation>磁盘</translation>
    </message>
    <message>
        <source>What was read of your chats (KV state of prompts), so that only new text is run.</source>
        <translation>已读过的对话内容（提示词的 KV 状态），这样只需计算新文字。</translation>
    </message>
    <message>
        <source>What was seen in your images (encoder features), so that no image is looked at twice.</source>
        <translation>已在图片中看到的内容（编码器特征），这样图片不会看两遍。</translation>
    </message>
    <message>
        <source>What left memory and is kept on disk, also over a restart.</source>
        <translation>已离开内存而保存在磁盘上的内容，重启后仍在。</translation>
    </message>
    <message>
        <source>Clear prefix cache</source>
        <translation>清空前缀缓存</translation>
    </message>
    <message>
        <source>Clear vision cache</source>
        <translation>清空视觉缓存</translation>
    </message>
    <message>
        <source>Clear disk cache</source>
        <translation>清空磁盘缓存</translation>
    </message>
    <message>
        <source>to make room</source>
        <translation>为腾出空间</translation>
    </message>
    <message>
        <source>over the number limit</source>
        <translation>超出数量上限</translation>
    </message>
    <message>
        <source>replaced by a newer one</source>
        <translation>被更新的替换</translation>
    </message>
    <message>
        <source>covered by a longer one</source>
        <translation>被更长的覆盖</translation>
    </message>
    <message>
        <source>cleared</source>
        <translation>已清空</translation>
    </message>
    <message>
        <source>limit lowered</source>
        <translation>上限已降低</translation>
    </message>
    <message>
        <source>unused for too long</source>
        <translation>太久未使用</translation>
    </message>
    <message>
        <source>damaged</source>
        <translation>已损坏</translation>
    </message>
    <message>
        <source>{tier} stored: {amount}</source>
        <translation>{tier}已保存：{amount}</translation>
    </message>
    <message>
        <source>{tier} hit: {amount}</source>
        <translation>{tier}命中：{amount}</translation>
    </message>
    <message>
        <source>{tier} missed</source>
        <translation>{tier}未命中</translation>
    </message>
    <message>
        <source>{tier} evicted {amount}</source>
        <translation>{tier}淘汰 {amount}</translation>
    </message>
    <message>
        <source>Moved to disk: {amount}</source>
        <translation>移至磁盘：{amount}</translation>
    </message>
    <message>
        <source>Restored from disk: {amount}</source>
        <translation>从磁盘恢复：{amount}</translation>
    </message>
    <message>
        <source>Image encoded in {seconds}</source>
        <translation>图片编码用时 {seconds}</translation>
    </message>
    <message>
        <source>Encoder skipped, {seconds} saved</source>
        <translation>跳过编码器，节省 {seconds}</translation>
    </message>
    <message>
        <source>{tier} bypassed</source>
        <translation>{tier}已绕过</translation>
    </message>
    <message>
        <source>{tier} cleared</source>
        <translation>{tier}已清空</translation>
    </message>
    <message>
        <source>{tier} limit is now {size}</source>
        <translation>{tier}上限现为 {size}</translation>
    </message>
    <message>
        <source>Clear everything</source>
        <translation>全部清空</translation>
    </message>
    <message>
        <source>{percent} hits: {hits} of {queries}</source>
        <translation>命中率 {percent}：{hits} / {queries}</translation>
    </message>
    <message>
        <source>Not asked yet</source>
        <translation>尚未查询</translation>
    </message>
    <message numerus="yes">
        <source>%Ln bypassed</source>
        <translation>
            <numerusform>绕过 %Ln 次</numerusform>
        </translation>
    </message>
    <message>
        <source>{tokens} reused</source>
        <translation>复用 {tokens}</translation>
    </message>
    <message numerus="yes">
        <source>encoder skipped %Ln time(s)</source>
        <translation>
            <numerusform>跳过编码器 %Ln 次</numerusform>
        </translation>
    </message>
    <message>
        <source>{seconds} saved</source>
        <translation>节省 {seconds}</translation>
    </message>
    <message numerus="yes">
        <source>%Ln evicted: {why}</source>
        <translation>
            <numerusform>淘汰 %Ln 个：{why}</numerusform>
        </translation>
    </message>
    <message>
        <source>{memory} in memory, {disk} on disk</source>
        <translation>内存中 {memory}，磁盘上 {disk}</translation>
    </message>
    <message>
        <source>{memory} in memory</source>
        <translation>内存中 {memory}</translation>
    </message>
    <message>
        <source>With the model {active}, at most {peak}</source>
        <translation>连同模型 {active}，最高 {peak}</translation>
    </message>
    <message>
        <source>{reused} of {tokens} reused</source>
        <translation>复用 {reused}，共 {tokens}</translation>
    </message>
    <message numerus="yes">
        <source>Encoder skipped for {skipped} of %Ln image(s)</source>
        <translation>
            <numerusform>%Ln 张图片中有 {skipped} 张跳过编码器</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln entries evicted</source>
        <translation>
            <numerusform>淘汰 %Ln 个条目</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing evicted</source>
        <translation>没有淘汰</translation>
    </message>
    <message>
        <source>First token after {seconds}</source>
        <translation>首个 token 用时 {seconds}</translation>
    </message>
    <message>
        <source>Context {percent} full: {held} of {tokens}</source>
        <translation>上下文已用 {percent}：{held}，共 {tokens}</translation>
    </message>
    <message>
        <source>Cache events, newest first</source>
        <translation>缓存事件，最新在前</translation>
    </message>
</context>
<context>
    <name>Paper</name>
    <message>
        <source>You</source>
        <translation>我</translation>
    </message>
    <message>
        <source>Second Glance</source>
        <translation>Second Glance</translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>系统提示词</translation>
    </message>
    <message>
        <source>The printer cannot be used.</source>
        <translation>无法使用打印机。</translation>
    </message>
</context>
<context>
    <name>Place</name>
    <message>
        <source>{size} free on this volume</source>
        <translation>此卷可用 {size}</translation>
    </message>
    <message>
        <source>{size} used</source>
        <translation>已用 {size}</translation>
    </message>
    <message>
        <source>{folder}. {room}.</source>
        <translation>{folder}。{room}。</translation>
    </message>
</context>
<context>
    <name>PlaceEditor</name>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Show in the file manager: {title}</source>
        <translation>在文件管理器中显示：{title}</translation>
    </message>
    <message>
        <source>Show in the file manager</source>
        <translation>在文件管理器中显示</translation>
    </message>
</context>
<context>
    <name>PortalCapture</name>
    <message>
        <source>The picture of the screen could not be read: {reason}.</source>
        <translation>无法读取屏幕图片：{reason}。</translation>
    </message>
</context>
<context>
    <name>PreferencesDialog</name>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>Shortcuts</source>
        <translation>快捷键</translation>
    </message>
    <message>
        <source>Privacy</source>
        <translation>隐私</translation>
    </message>
</context>
<context>
    <name>Progress</name>
    <message>
        <source>{words} ({note})</source>
        <translation>{words}（{note}）</translation>
    </message>
    <message>
        <source>{words}, about {duration} left</source>
        <translation>{words}，约剩 {duration}</translation>
    </message>
    <message>
        <source>Opening image {number} of {total}</source>
        <translation>正在打开图片 {number} / {total}</translation>
    </message>
    <message>
        <source>Encoding image {number} of {total}</source>
        <translation>正在编码图片 {number} / {total}</translation>
    </message>
    <message>
        <source>{stage} {percent}</source>
        <translation>{stage} {percent}</translation>
    </message>
    <message>
        <source>Loading the model</source>
        <translation>正在加载模型</translation>
    </message>
    <message>
        <source>Opening image</source>
        <translation>正在打开图片</translation>
    </message>
    <message>
        <source>Encoding image</source>
        <translation>正在编码图片</translation>
    </message>
    <message>
        <source>Restoring what is known</source>
        <translation>正在恢复已知内容</translation>
    </message>
    <message>
        <source>Reading the prompt</source>
        <translation>正在读取提示词</translation>
    </message>
</context>
<context>
    <name>ProgressDialog</name>
    <message>
        <source>The pages go to the printer now. They can be stopped only there.</source>
        <translation>页面正在发送到打印机，现在只能在打印机上停止。</translation>
    </message>
</context>
<context>
    <name>ProgressLine</name>
    <message>
        <source>Waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>Progress of the answer</source>
        <translation>回答进度</translation>
    </message>
</context>
<context>
    <name>QuantizeDialog</name>
    <message>
        <source>Quantize {model}</source>
        <translation>量化 {model}</translation>
    </message>
    <message>
        <source>Folder for the copy</source>
        <translation>副本的文件夹</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Choose the folder for the copy</source>
        <translation>选择副本的文件夹</translation>
    </message>
    <message>
        <source>Quantize</source>
        <translation>量化</translation>
    </message>
    <message>
        <source>{bits}: about {size}, smallest</source>
        <translation>{bits}：约 {size}，最小</translation>
    </message>
    <message>
        <source>{bits}: about {size}, hardly less exact</source>
        <translation>{bits}：约 {size}，精度几乎不减</translation>
    </message>
    <message>
        <source>{folder}. {size} free there.</source>
        <translation>{folder}。该处可用 {size}。</translation>
    </message>
    <message>
        <source>{folder} exists already. Choose another folder.</source>
        <translation>{folder} 已存在。请选择其他文件夹。</translation>
    </message>
    <message>
        <source>The copy needs about {needed}, and {free} are free there. Choose another folder.</source>
        <translation>副本约需 {needed}，而该处可用 {free}。请选择其他文件夹。</translation>
    </message>
    <message>
        <source>Choose a folder for the copy</source>
        <translation>选择副本的文件夹</translation>
    </message>
    <message>
        <source>A smaller copy of {model}</source>
        <translation>{model} 的更小副本</translation>
    </message>
    <message>
        <source>A copy with fewer bits per weight is smaller and faster, and answers a little less exactly. Answers wait until it is made.</source>
        <translation>每个权重位数更少的副本更小更快，回答精度略低。制作期间回答会等待。</translation>
    </message>
    <message>
        <source>Into the folder</source>
        <translation>存入文件夹</translation>
    </message>
</context>
<context>
    <name>Receipt</name>
    <message>
        <source>Reused from memory</source>
        <translation>从内存复用</translation>
    </message>
    <message>
        <source>Restored from disk</source>
        <translation>从磁盘恢复</translation>
    </message>
    <message>
        <source>Run now</source>
        <translation>现在计算</translation>
    </message>
    <message>
        <source>prefix hit in memory</source>
        <translation>内存前缀命中</translation>
    </message>
    <message>
        <source>prefix hit on the SSD tier</source>
        <translation>SSD 层前缀命中</translation>
    </message>
    <message>
        <source>prefill</source>
        <translation>预填充</translation>
    </message>
    <message>
        <source>{words} (saved {seconds})</source>
        <translation>{words}（节省 {seconds}）</translation>
    </message>
    <message numerus="yes">
        <source>%Ln image(s) seen before: encoder skipped</source>
        <translation>
            <numerusform>%Ln 张图片已看过：跳过编码器</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{known} of %Ln image(s) seen before</source>
        <translation>
            <numerusform>%Ln 张图片中已看过 {known} 张</numerusform>
        </translation>
    </message>
    <message>
        <source>{words} ({tiles})</source>
        <translation>{words}（{tiles}）</translation>
    </message>
    <message numerus="yes">
        <source>%Ln new image(s): encoded in {seconds}</source>
        <translation>
            <numerusform>%Ln 张新图片：编码用时 {seconds}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln encoded while you typed</source>
        <translation>
            <numerusform>输入时已编码 %Ln</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln image(s) encoded while you typed</source>
        <translation>
            <numerusform>%Ln 张图片在输入时已编码</numerusform>
        </translation>
    </message>
    <message>
        <source>{first}; {second}</source>
        <translation>{first}；{second}</translation>
    </message>
    <message numerus="yes">
        <source>%Ln encoded in {seconds}</source>
        <translation>
            <numerusform>%Ln 个编码用时 {seconds}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{seen} of %Ln tile(s) seen before</source>
        <translation>
            <numerusform>%Ln 个图块中已看过 {seen} 个</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing reused: {why}</source>
        <translation>没有复用：{why}</translation>
    </message>
    <message>
        <source>Nothing reused</source>
        <translation>没有复用</translation>
    </message>
    <message>
        <source>then {cause}</source>
        <translation>之后：{cause}</translation>
    </message>
    <message>
        <source>{run} of {tokens} run before the stop</source>
        <translation>停止前计算了 {run}，共 {tokens}</translation>
    </message>
    <message numerus="yes">
        <source>All %Ln prompt token(s) run now</source>
        <translation>
            <numerusform>现在计算了全部 %Ln 个提示词 token</numerusform>
        </translation>
    </message>
    <message>
        <source>{reused} of {tokens} restored from disk</source>
        <translation>从磁盘恢复 {reused}，共 {tokens}</translation>
    </message>
    <message>
        <source>{reused} of {tokens} reused ({disk} from disk)</source>
        <translation>复用 {reused}（其中 {disk} 来自磁盘），共 {tokens}</translation>
    </message>
    <message>
        <source>{reused} of {tokens} ready, {ahead} of them run while you typed</source>
        <translation>已就绪 {reused}（其中 {ahead} 在输入时计算），共 {tokens}</translation>
    </message>
    <message>
        <source>{reused} of {tokens} reused</source>
        <translation>复用 {reused}，共 {tokens}</translation>
    </message>
    <message numerus="yes">
        <source>%Ln cache entries evicted</source>
        <translation>
            <numerusform>淘汰 %Ln 个缓存条目</numerusform>
        </translation>
    </message>
    <message>
        <source>First token after {seconds}</source>
        <translation>首个 token 用时 {seconds}</translation>
    </message>
    <message>
        <source>{tokens} from memory</source>
        <translation>{tokens}来自内存</translation>
    </message>
    <message>
        <source>{tokens} from disk</source>
        <translation>{tokens}来自磁盘</translation>
    </message>
    <message>
        <source>{tokens} run now</source>
        <translation>{tokens}现在计算</translation>
    </message>
    <message>
        <source>{image}: {what}</source>
        <translation>{image}：{what}</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>图片</translation>
    </message>
    <message>
        <source>Image {number}</source>
        <translation>图片 {number}</translation>
    </message>
    <message>
        <source>encoded while you typed</source>
        <translation>输入时已编码</translation>
    </message>
    <message>
        <source>seen before, encoder skipped</source>
        <translation>已看过，跳过编码器</translation>
    </message>
    <message numerus="yes">
        <source>%Ln encoded now</source>
        <translation>
            <numerusform>现在编码 %Ln 个</numerusform>
        </translation>
    </message>
    <message>
        <source>new, encoded now</source>
        <translation>新图片，现在编码</translation>
    </message>
    <message numerus="yes">
        <source>new, %Ln tile(s) encoded now</source>
        <translation>
            <numerusform>新图片，现在编码 %Ln 个图块</numerusform>
        </translation>
    </message>
    <message>
        <source>saved {seconds}</source>
        <translation>节省 {seconds}</translation>
    </message>
    <message>
        <source>vision encoder skipped</source>
        <translation>跳过视觉编码器</translation>
    </message>
    <message>
        <source>vision encoder run</source>
        <translation>运行视觉编码器</translation>
    </message>
    <message>
        <source>Encoding images</source>
        <translation>编码图片</translation>
    </message>
    <message>
        <source>vision encoder</source>
        <translation>视觉编码器</translation>
    </message>
    <message>
        <source>Restoring what was known</source>
        <translation>恢复已知内容</translation>
    </message>
    <message>
        <source>prefix hit, copied into place</source>
        <translation>前缀命中，复制到位</translation>
    </message>
    <message>
        <source>Reading the rest of the prompt</source>
        <translation>读取提示词其余部分</translation>
    </message>
    <message>
        <source>Everything else</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>chat template, tokenizing, first token</source>
        <translation>对话模板、分词、首个 token</translation>
    </message>
    <message>
        <source>Time to first token</source>
        <translation>首个 token 用时</translation>
    </message>
    <message>
        <source>TTFT</source>
        <translation>TTFT</translation>
    </message>
    <message>
        <source>Of these run while you typed</source>
        <translation>其中在输入时计算</translation>
    </message>
    <message>
        <source>work ahead</source>
        <translation>预先计算</translation>
    </message>
    <message>
        <source>prefix miss</source>
        <translation>前缀未命中</translation>
    </message>
    <message>
        <source>Why not more</source>
        <translation>为何不更多</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>decode</source>
        <translation>解码</translation>
    </message>
    <message numerus="yes">
        <source>%Ln cache entries</source>
        <translation>
            <numerusform>%Ln 个缓存条目</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing</source>
        <translation>无</translation>
    </message>
    <message>
        <source>eviction</source>
        <translation>淘汰</translation>
    </message>
    <message>
        <source>Evicted</source>
        <translation>淘汰</translation>
    </message>
</context>
<context>
    <name>ReceiptView</name>
    <message>
        <source>Show the figures</source>
        <translation>显示数据</translation>
    </message>
    <message>
        <source>Hide the figures</source>
        <translation>隐藏数据</translation>
    </message>
</context>
<context>
    <name>ReportDialog</name>
    <message>
        <source>Report</source>
        <translation>报告</translation>
    </message>
    <message>
        <source>Copy report</source>
        <translation>复制报告</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Something went wrong</source>
        <translation>出了点问题</translation>
    </message>
    <message>
        <source>Your chats are saved. This report helps to find the cause; nothing was sent.</source>
        <translation>您的对话已保存。此报告有助于查找原因；没有发送任何内容。</translation>
    </message>
</context>
<context>
    <name>Requests</name>
    <message>
        <source>New chat</source>
        <translation>新对话</translation>
    </message>
    <message>
        <source>{title} (branch)</source>
        <translation>{title}（分支）</translation>
    </message>
    <message>
        <source>{title} (branch {number})</source>
        <translation>{title}（分支 {number}）</translation>
    </message>
</context>
<context>
    <name>Row</name>
    <message>
        <source>Progress of {model}</source>
        <translation>{model} 的进度</translation>
    </message>
</context>
<context>
    <name>Samples</name>
    <message>
        <source>No picture at hand? The demo model knows windows like these:</source>
        <translation>手边没有图片？演示模型认识这样的窗口：</translation>
    </message>
    <message>
        <source>Add {name} to the question</source>
        <translation>把 {name} 添加到问题中</translation>
    </message>
    <message>
        <source>Add the sample picture {name}</source>
        <translation>添加示例图片 {name}</translation>
    </message>
</context>
<context>
    <name>ScreenCapture</name>
    <message>
        <source>Choose a part of the screen and attach it</source>
        <translation>选择屏幕的一部分并添加</translation>
    </message>
    <message>
        <source>Screen at {time}</source>
        <translation>屏幕 {time}</translation>
    </message>
</context>
<context>
    <name>SearchableText</name>
    <message>
        <source>Find</source>
        <translation>查找</translation>
    </message>
    <message>
        <source>Find in: {name}</source>
        <translation>查找范围：{name}</translation>
    </message>
    <message>
        <source>The place before</source>
        <translation>上一处</translation>
    </message>
    <message>
        <source>The next place</source>
        <translation>下一处</translation>
    </message>
    <message>
        <source>{number} of {total}</source>
        <translation>第 {number} 个，共 {total} 个</translation>
    </message>
    <message>
        <source>Not found</source>
        <translation>未找到</translation>
    </message>
</context>
<context>
    <name>SendButton</name>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>发送</translation>
    </message>
    <message>
        <source>Sent as soon as the pictures are open</source>
        <translation>图片打开后立即发送</translation>
    </message>
</context>
<context>
    <name>Sentences</name>
    <message>
        <source>an entry could not be spilled ({error})</source>
        <translation>无法转存条目（{error}）</translation>
    </message>
    <message>
        <source>look-up failed ({error})</source>
        <translation>查找失败（{error}）</translation>
    </message>
    <message>
        <source>the cache failed; see the log</source>
        <translation>缓存出错；请看日志</translation>
    </message>
    <message>
        <source>a state was not stored ({refused})</source>
        <translation>未保存状态（{refused}）</translation>
    </message>
    <message>
        <source>storing failed ({error})</source>
        <translation>保存失败（{error}）</translation>
    </message>
    <message>
        <source>The cache folder {root} cannot be used: {reason}.</source>
        <translation>无法使用缓存文件夹 {root}：{reason}。</translation>
    </message>
    <message>
        <source>Another Second Glance uses this cache folder. This one runs without the disk cache.</source>
        <translation>另一个 Second Glance 正在使用此缓存文件夹。本窗口不使用磁盘缓存运行。</translation>
    </message>
    <message>
        <source>The cache folder {root} cannot be written: {reason}.</source>
        <translation>无法写入缓存文件夹 {root}：{reason}。</translation>
    </message>
    <message>
        <source>The cache folder {folder} is a link. Choose a real folder.</source>
        <translation>缓存文件夹 {folder} 是链接。请选择真实的文件夹。</translation>
    </message>
    <message>
        <source>its size limit, or the free space of the volume, leaves no room</source>
        <translation>大小上限或卷上的剩余空间已无余地</translation>
    </message>
    <message>
        <source>animated: only the first frame is used</source>
        <translation>动画：只使用第一帧</translation>
    </message>
    <message>
        <source>“{picture}” is empty.</source>
        <translation>“{picture}”是空的。</translation>
    </message>
    <message>
        <source>“{picture}” is {size} pixels, more than the {max_pixels} that can be shown.</source>
        <translation>“{picture}”有 {size} 像素，超过可显示的 {max_pixels}。</translation>
    </message>
    <message>
        <source>“{picture}” has no pixels.</source>
        <translation>“{picture}”没有像素。</translation>
    </message>
    <message>
        <source>“{picture}” is damaged and cannot be shown whole ({short}).</source>
        <translation>“{picture}”已损坏，无法完整显示（{short}）。</translation>
    </message>
    <message>
        <source>“{picture}” is not a file.</source>
        <translation>“{picture}”不是文件。</translation>
    </message>
    <message>
        <source>“{picture}” does not exist.</source>
        <translation>“{picture}”不存在。</translation>
    </message>
    <message>
        <source>“{picture}” cannot be read ({short}).</source>
        <translation>无法读取“{picture}”（{short}）。</translation>
    </message>
    <message>
        <source>“{picture}” is not a valid data URI ({short}).</source>
        <translation>“{picture}”不是有效的数据 URI（{short}）。</translation>
    </message>
    <message>
        <source>“{picture}” is not a picture in a format that can be read.</source>
        <translation>“{picture}”不是可读取格式的图片。</translation>
    </message>
    <message>
        <source>“{picture}” has more than {max_pixels} pixels.</source>
        <translation>“{picture}”超过 {max_pixels} 像素。</translation>
    </message>
    <message>
        <source>“{picture}” is damaged ({short}).</source>
        <translation>“{picture}”已损坏（{short}）。</translation>
    </message>
    <message>
        <source>“{picture}” is a {name}, not a picture.</source>
        <translation>“{picture}”是 {name}，不是图片。</translation>
    </message>
    <message>
        <source>a state was not kept on disk: {error}</source>
        <translation>未将状态保存到磁盘：{error}</translation>
    </message>
    <message>
        <source>features were not kept on disk: {error}</source>
        <translation>未将特征保存到磁盘：{error}</translation>
    </message>
    <message>
        <source>the disk could not keep up, a state was not written</source>
        <translation>磁盘速度跟不上，未写入状态</translation>
    </message>
    <message>
        <source>The disk cache could not be used: {strerror}.</source>
        <translation>无法使用磁盘缓存：{strerror}。</translation>
    </message>
    <message>
        <source>The disk cache could not be used: {error}.</source>
        <translation>无法使用磁盘缓存：{error}。</translation>
    </message>
    <message>
        <source>only the first of {count} pages is used</source>
        <translation>共 {count} 页，仅使用第一页</translation>
    </message>
    <message>
        <source>only the first of {count} pictures in the file is used</source>
        <translation>文件中共 {count} 张图片，仅使用第一张</translation>
    </message>
    <message>
        <source>model changed</source>
        <translation>更换了模型</translation>
    </message>
    <message>
        <source>nothing is stored yet</source>
        <translation>尚未保存任何内容</translation>
    </message>
    <message>
        <source>the request has image placeholders but does not say which images they are</source>
        <translation>请求中有图片占位符，但未说明是哪些图片</translation>
    </message>
    <message>
        <source>the text differs</source>
        <translation>文字不同</translation>
    </message>
    <message>
        <source>the system prompt differs</source>
        <translation>系统提示词不同</translation>
    </message>
    <message>
        <source>the cache is switched off</source>
        <translation>缓存已关闭</translation>
    </message>
    <message>
        <source>window already moved past this point</source>
        <translation>窗口已移过此处</translation>
    </message>
    <message>
        <source>this model&apos;s state cannot be shortened to this point</source>
        <translation>此模型的状态无法截短到此处</translation>
    </message>
    <message>
        <source>shorter than the minimum of {minimum} tokens</source>
        <translation>短于最小长度 {minimum} 个 token</translation>
    </message>
    <message>
        <source>the stored state cannot be shortened to this point</source>
        <translation>已保存的状态无法截短到此处</translation>
    </message>
    <message>
        <source>token matches</source>
        <translation>个 token 相同</translation>
    </message>
    <message>
        <source>tokens match</source>
        <translation>个 token 相同</translation>
    </message>
    <message>
        <source>window already moved past this point ({common} {noun})</source>
        <translation>窗口已移过此处（{common} {noun}）</translation>
    </message>
    <message>
        <source>first {common} {noun}; then {cause}</source>
        <translation>前 {common} {noun}；之后：{cause}</translation>
    </message>
    <message>
        <source>image {inside} is not shared as a whole</source>
        <translation>图片 {inside} 未被完整共享</translation>
    </message>
    <message>
        <source>image {image} is new</source>
        <translation>图片 {image} 是新的</translation>
    </message>
    <message>
        <source>an image was taken away</source>
        <translation>移除了一张图片</translation>
    </message>
    <message>
        <source>no stored prompt begins like this one</source>
        <translation>没有已保存的提示词以此开头</translation>
    </message>
    <message>
        <source>the rest is new</source>
        <translation>其余是新的</translation>
    </message>
    <message>
        <source>{ref} is a file; a model is a folder with config.json and *.safetensors.</source>
        <translation>{ref} 是文件；模型应是包含 config.json 和 *.safetensors 的文件夹。</translation>
    </message>
    <message>
        <source>There is no folder {ref}.</source>
        <translation>没有文件夹 {ref}。</translation>
    </message>
    <message>
        <source>{ref} asks to run its own Python code ({config}), which is never done.</source>
        <translation>{ref} 要求运行自带的 Python 代码（{config}），这是绝不允许的。</translation>
    </message>
    <message>
        <source>{ref}: config.json does not say which model type it is.</source>
        <translation>{ref}：config.json 未说明模型类型。</translation>
    </message>
    <message>
        <source>{ref} has no tokenizer (tokenizer.json is missing).</source>
        <translation>{ref} 没有分词器（缺少 tokenizer.json）。</translation>
    </message>
    <message>
        <source>{ref} has no weights (*.safetensors is missing).</source>
        <translation>{ref} 没有权重（缺少 *.safetensors）。</translation>
    </message>
    <message>
        <source>{ref}: {name} is cut off at {size} of {start} bytes.</source>
        <translation>{ref}：{name} 被截断，{start} 字节中只有 {size} 字节。</translation>
    </message>
    <message>
        <source>{ref}: {name} is not a JSON object.</source>
        <translation>{ref}：{name} 不是 JSON 对象。</translation>
    </message>
    <message>
        <source>{ref} is incomplete: {join} is missing.</source>
        <translation>{ref} 不完整：缺少 {join}。</translation>
    </message>
    <message>
        <source>{ref} has pickled weights only; they can run code and are never opened.</source>
        <translation>{ref} 只有 pickle 格式的权重；它们可能执行代码，绝不会打开。</translation>
    </message>
    <message>
        <source>{ref}: {name} is damaged ({error}).</source>
        <translation>{ref}：{name} 已损坏（{error}）。</translation>
    </message>
    <message>
        <source>{ref} is not a model folder: {name} is missing.</source>
        <translation>{ref} 不是模型文件夹：缺少 {name}。</translation>
    </message>
    <message>
        <source>{ref}: {name} cannot be read ({error}).</source>
        <translation>{ref}：无法读取 {name}（{error}）。</translation>
    </message>
    <message>
        <source>There is no folder {repository}, and no model of that name in the local Hugging Face cache.</source>
        <translation>没有文件夹 {repository}，本地 Hugging Face 缓存中也没有该名称的模型。</translation>
    </message>
    <message>
        <source>{name} does not think, so this thought cannot be gone on with.</source>
        <translation>{name} 不会思考，因此无法继续这段思考。</translation>
    </message>
    <message>
        <source>No model is loaded.</source>
        <translation>没有加载模型。</translation>
    </message>
    <message>
        <source>This picture is too narrow for its length: the model cannot take such proportions.</source>
        <translation>此图片相对其长度过窄：模型无法接受这样的比例。</translation>
    </message>
    <message>
        <source>the cache failed and was bypassed; the log has the cause</source>
        <translation>缓存出错并被绕过；原因见日志</translation>
    </message>
    <message>
        <source>{repository} needs {needed} GB and {free} GB are free on the disk. Free some space, or choose a smaller model.</source>
        <translation>{repository} 需要 {needed} GB，而磁盘可用 {free} GB。请腾出空间，或选择更小的模型。</translation>
    </message>
    <message>
        <source>{repository} asks to run its own Python code, which is never done.</source>
        <translation>{repository} 要求运行自带的 Python 代码，这是绝不允许的。</translation>
    </message>
    <message>
        <source>{repository}: config.json does not say which model type it is.</source>
        <translation>{repository}：config.json 未说明模型类型。</translation>
    </message>
    <message>
        <source>{repository} is given out only after its terms are accepted. Accept them on its page, log in on this computer with “hf auth login”, and try again.</source>
        <translation>{repository} 须先接受条款才能获取。请在其页面上接受，在此电脑上用“hf auth login”登录后重试。</translation>
    </message>
    <message>
        <source>{repository} does not have the version that was asked for.</source>
        <translation>{repository} 没有所请求的版本。</translation>
    </message>
    <message>
        <source>“{repository}” is not the name of a model: it must look like owner/model.</source>
        <translation>“{repository}”不是模型名称：格式应为 所有者/模型。</translation>
    </message>
    <message>
        <source>in {wait} seconds</source>
        <translation>{wait} 秒后</translation>
    </message>
    <message>
        <source>in a few minutes</source>
        <translation>几分钟后</translation>
    </message>
    <message>
        <source>The hub has had too many requests from here. Try again {when}.</source>
        <translation>模型库收到此处的请求过多。请于{when}重试。</translation>
    </message>
    <message>
        <source>The hub does not let you have {repository}. Log in on this computer with “hf auth login”.</source>
        <translation>模型库不允许获取 {repository}。请在此电脑上用“hf auth login”登录。</translation>
    </message>
    <message>
        <source>The hub has a problem of its own at the moment (error {status}). Try again later.</source>
        <translation>模型库目前自身出现问题（错误 {status}）。请稍后重试。</translation>
    </message>
    <message>
        <source>The hub refused to give {repository} (error {status}).</source>
        <translation>模型库拒绝提供 {repository}（错误 {status}）。</translation>
    </message>
    <message>
        <source>There is no public model {repository}. Check the name; a private one needs “hf auth login” on this computer first.</source>
        <translation>没有公开模型 {repository}。请检查名称；私有模型需先在此电脑上执行“hf auth login”。</translation>
    </message>
    <message>
        <source>The hub library is set to offline mode (HF_HUB_OFFLINE). Unset it to download models.</source>
        <translation>模型库组件处于离线模式（HF_HUB_OFFLINE）。取消该设置后才能下载模型。</translation>
    </message>
    <message>
        <source>The hub cannot be reached. Check the connection and try again; what was fetched is kept.</source>
        <translation>无法连接模型库。请检查网络后重试；已下载的内容会保留。</translation>
    </message>
    <message>
        <source>The disk is full. Free some space and try again; what was fetched is kept.</source>
        <translation>磁盘已满。请腾出空间后重试；已下载的内容会保留。</translation>
    </message>
    <message>
        <source>The model could not be written: {strerror}.</source>
        <translation>无法写入模型：{strerror}。</translation>
    </message>
    <message>
        <source>{repository} has no weights in the safetensors format.</source>
        <translation>{repository} 没有 safetensors 格式的权重。</translation>
    </message>
    <message>
        <source>{repository} is not a model that can be opened here: it has no config.json.</source>
        <translation>{repository} 不是可在此打开的模型：没有 config.json。</translation>
    </message>
    <message>
        <source>{repository} has pickled weights only; they can run code and are never fetched.</source>
        <translation>{repository} 只有 pickle 格式的权重；它们可能执行代码，绝不会下载。</translation>
    </message>
    <message>
        <source>{name} of {repository} arrived damaged and was thrown away. Try again.</source>
        <translation>{repository} 的 {name} 下载损坏，已丢弃。请重试。</translation>
    </message>
    <message>
        <source>{name} of {repository} has {size} bytes where the hub announced {size_2}. Try again later.</source>
        <translation>{repository} 的 {name} 为 {size} 字节，而模型库标明为 {size_2}。请稍后重试。</translation>
    </message>
    <message>
        <source>{ref} is of the kind {kind}, which this version cannot open.</source>
        <translation>{ref} 属于 {kind} 类型，此版本无法打开。</translation>
    </message>
    <message>
        <source>Checking the model folder</source>
        <translation>正在检查模型文件夹</translation>
    </message>
    <message>
        <source>Loading the libraries</source>
        <translation>正在加载程序库</translation>
    </message>
    <message>
        <source>{name} is of the kind {model_type}, which this version cannot open.</source>
        <translation>{name} 属于 {model_type} 类型，此版本无法打开。</translation>
    </message>
    <message>
        <source>Reading the weights</source>
        <translation>正在读取权重</translation>
    </message>
    <message>
        <source>{ref} asks to run its own Python code, which is never done.</source>
        <translation>{ref} 要求运行自带的 Python 代码，这是绝不允许的。</translation>
    </message>
    <message>
        <source>{ref} cannot be opened: {first_line}</source>
        <translation>无法打开 {ref}：{first_line}</translation>
    </message>
    <message>
        <source>{folder} is not an adapter: {weights} is missing.</source>
        <translation>{folder} 不是适配器：缺少 {weights}。</translation>
    </message>
    <message>
        <source>The adapter {parent} was made for another model: {misfits} does not fit.</source>
        <translation>适配器 {parent} 是为其他模型制作的：{misfits} 不匹配。</translation>
    </message>
    <message>
        <source>{folder} is not an adapter: {config} cannot be read ({error}).</source>
        <translation>{folder} 不是适配器：无法读取 {config}（{error}）。</translation>
    </message>
    <message>
        <source>{folder}: the weights of the adapter are damaged ({error}).</source>
        <translation>{folder}：适配器的权重已损坏（{error}）。</translation>
    </message>
    <message>
        <source>This conversation of {tokens} tokens needs about {needed} GB of memory and {available} GB are free. Remove images or text, close other programs, or use a smaller model.</source>
        <translation>此对话有 {tokens} 个 token，约需 {needed} GB 内存，而可用 {available} GB。请移除图片或文字、关闭其他程序，或使用更小的模型。</translation>
    </message>
    <message>
        <source>Two different test pictures gave the same features: this model does not see images.</source>
        <translation>两张不同的测试图片得到相同的特征：此模型看不到图片。</translation>
    </message>
    <message>
        <source>This family is not known well enough to reuse its state: every turn runs in full.</source>
        <translation>对此模型系列了解不足，无法复用其状态：每一轮都完整计算。</translation>
    </message>
    <message>
        <source>{name} is {width}×{height} pixels, a shape that this model cannot take ({error}).</source>
        <translation>{name} 为 {width}×{height} 像素，此模型无法接受这种形状（{error}）。</translation>
    </message>
    <message>
        <source>Reading the model</source>
        <translation>正在读取模型</translation>
    </message>
    <message>
        <source>A smaller copy is made without an adapter: quantize {base}, then put {lora} on it.</source>
        <translation>较小的副本不带适配器：请先量化 {base}，再为它加上 {lora}。</translation>
    </message>
    <message>
        <source>{ref} is quantized already; start from the full weights.</source>
        <translation>{ref} 已经量化；请从完整权重开始。</translation>
    </message>
    <message>
        <source>{target} exists already. Choose another folder.</source>
        <translation>{target} 已存在。请选择其他文件夹。</translation>
    </message>
    <message>
        <source>The copy needs about {needed} GB and {free} GB are free where {parent} is. Free some space, or choose another folder.</source>
        <translation>副本约需 {needed} GB，而 {parent} 处可用 {free} GB。请腾出空间，或选择其他文件夹。</translation>
    </message>
    <message>
        <source>Writing the smaller copy</source>
        <translation>正在写入更小的副本</translation>
    </message>
    <message>
        <source>This conversation needs {needed} tokens, {pictures} of them for images, and the model takes {context}. Remove {needed_2} tokens&apos; worth of images or text, or start a new chat.</source>
        <translation>此对话需要 {needed} 个 token，其中 {pictures} 个用于图片，而模型可容纳 {context} 个。请移除相当于 {needed_2} 个 token 的图片或文字，或开始新对话。</translation>
    </message>
    <message>
        <source>{name} takes no images. Load a model that does, or remove the images.</source>
        <translation>{name} 不接受图片。请加载可看图片的模型，或移除图片。</translation>
    </message>
    <message>
        <source>{name}: resized from {width}×{height} to {width_2}×{height_2}</source>
        <translation>{name}：从 {width}×{height} 缩放到 {width_2}×{height_2}</translation>
    </message>
    <message>
        <source>{title} must be {allowed}, not {value}.</source>
        <translation>{title}应为 {allowed}，而不是 {value}。</translation>
    </message>
    <message>
        <source>{error} The default settings are used.</source>
        <translation>{error}将使用默认设置。</translation>
    </message>
    <message>
        <source>{name} was written by a newer version of Second Glance; what is unknown is left alone.</source>
        <translation>{name} 由更新版本的 Second Glance 写入；未知内容保持不变。</translation>
    </message>
    <message>
        <source>{name}: {error} The default is used.</source>
        <translation>{name}：{error}将使用默认值。</translation>
    </message>
    <message>
        <source>The settings could not be saved: {error}.</source>
        <translation>无法保存设置：{error}。</translation>
    </message>
    <message>
        <source>{path} cannot be read: {strerror}.</source>
        <translation>无法读取 {path}：{strerror}。</translation>
    </message>
    <message>
        <source>{path} is not valid TOML: {error}.</source>
        <translation>{path} 不是有效的 TOML：{error}。</translation>
    </message>
    <message>
        <source>There is no setting {name}; it is ignored.</source>
        <translation>没有设置项 {name}；已忽略。</translation>
    </message>
    <message>
        <source>For {ref}: {error} The setting for all models is used.</source>
        <translation>对于 {ref}：{error}将使用适用于所有模型的设置。</translation>
    </message>
    <message>
        <source>{name} cannot be set for {ref} alone; it is ignored.</source>
        <translation>{name} 不能单独为 {ref} 设置；已忽略。</translation>
    </message>
    <message>
        <source>For {ref}: there is no setting {name}; it is ignored.</source>
        <translation>对于 {ref}：没有设置项 {name}；已忽略。</translation>
    </message>
    <message>
        <source>The data folder {folder} cannot be used: {strerror}.</source>
        <translation>无法使用数据文件夹 {folder}：{strerror}。</translation>
    </message>
    <message>
        <source>{name} cannot be read or written: {error}.</source>
        <translation>无法读写 {name}：{error}。</translation>
    </message>
    <message>
        <source>{name} is damaged ({error}). Move it away to start with an empty list of chats.</source>
        <translation>{name} 已损坏（{error}）。将其移走即可从空的对话列表开始。</translation>
    </message>
    <message>
        <source>A picture of this chat is gone from the data folder. Add it again.</source>
        <translation>此对话的一张图片已不在数据文件夹中。请重新添加。</translation>
    </message>
    <message>
        <source>A picture of this chat is damaged ({error}). Add it again.</source>
        <translation>此对话的一张图片已损坏（{error}）。请重新添加。</translation>
    </message>
    <message>
        <source>{name} could not be kept: {strerror}.</source>
        <translation>无法保存 {name}：{strerror}。</translation>
    </message>
    <message>
        <source>Second Glance is already open on {folder}{process}. Use that window, or close it first.</source>
        <translation>Second Glance 已打开 {folder}{process}。请使用那个窗口，或先将其关闭。</translation>
    </message>
    <message>
        <source>{path} was written by a newer version of Second Glance. Update the app to open it.</source>
        <translation>{path} 由更新版本的 Second Glance 写入。请更新应用后再打开。</translation>
    </message>
    <message>
        <source>{name} comes from a newer version of Second Glance.</source>
        <translation>{name} 来自更新版本的 Second Glance。</translation>
    </message>
    <message>
        <source>{name} is incomplete: {error} is missing or wrong.</source>
        <translation>{name} 不完整：{error} 缺失或有误。</translation>
    </message>
    <message>
        <source>{target} cannot be written: {strerror}.</source>
        <translation>无法写入 {target}：{strerror}。</translation>
    </message>
    <message>
        <source>{name} cannot be read: {strerror}.</source>
        <translation>无法读取 {name}：{strerror}。</translation>
    </message>
    <message>
        <source>{name} is not a chat that Second Glance exported.</source>
        <translation>{name} 不是 Second Glance 导出的对话。</translation>
    </message>
    <message>
        <source>No model is loaded. Choose one in the model menu.</source>
        <translation>没有加载模型。请在模型菜单中选择一个。</translation>
    </message>
    <message>
        <source>Loading was stopped.</source>
        <translation>加载已停止。</translation>
    </message>
    <message>
        <source>Something went wrong inside Second Glance ({name}: {error}).</source>
        <translation>Second Glance 内部出错（{name}：{error}）。</translation>
    </message>
</context>
<context>
    <name>SettingRow</name>
    <message>
        <source>Back to the default</source>
        <translation>恢复默认值</translation>
    </message>
    <message>
        <source>{help} Takes hold at the next start.</source>
        <translation>{help}下次启动时生效。</translation>
    </message>
    <message>
        <source>{help} Takes hold when the model is loaded next.</source>
        <translation>{help}下次加载模型时生效。</translation>
    </message>
    <message>
        <source>on</source>
        <translation>开</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>empty</source>
        <translation>空</translation>
    </message>
</context>
<context>
    <name>Settings</name>
    <message>
        <source>General</source>
        <translation>常规</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Generation</source>
        <translation>生成</translation>
    </message>
    <message>
        <source>Caches</source>
        <translation>缓存</translation>
    </message>
    <message>
        <source>Disk cache</source>
        <translation>磁盘缓存</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>外观</translation>
    </message>
    <message>
        <source>Advanced</source>
        <translation>高级</translation>
    </message>
    <message>
        <source>Notify when an answer is ready</source>
        <translation>回答完成时通知</translation>
    </message>
    <message>
        <source>Only while the window is in the background.</source>
        <translation>仅当窗口在后台时。</translation>
    </message>
    <message>
        <source>Keep deleted chats</source>
        <translation>保留已删除的对话</translation>
    </message>
    <message>
        <source>Deleted chats can be brought back for this long; then they are removed for good.</source>
        <translation>在此期间可恢复已删除的对话；之后将彻底移除。</translation>
    </message>
    <message>
        <source>days</source>
        <translation>天</translation>
    </message>
    <message>
        <source>The bundled demo model, a folder with a model, or the id of a Hugging Face repository.</source>
        <translation>自带的演示模型、包含模型的文件夹，或 Hugging Face 仓库的 id。</translation>
    </message>
    <message>
        <source>Load when the app starts</source>
        <translation>应用启动时加载</translation>
    </message>
    <message>
        <source>Otherwise the model is loaded with the first question.</source>
        <translation>否则在首次提问时加载模型。</translation>
    </message>
    <message>
        <source>Unload when not used</source>
        <translation>闲置时卸载</translation>
    </message>
    <message>
        <source>A model that was not used for this long makes room; the next question loads it again. 0 keeps it.</source>
        <translation>闲置超过此时间的模型会让出空间；下次提问时再加载。0 表示保留。</translation>
    </message>
    <message>
        <source>minutes</source>
        <translation>分钟</translation>
    </message>
    <message>
        <source>Longest conversation</source>
        <translation>最长对话</translation>
    </message>
    <message>
        <source>Pictures and the answer count too. 0 for as much as the model takes.</source>
        <translation>图片和回答也计入。0 表示模型所能容纳的最大长度。</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>token</translation>
    </message>
    <message>
        <source>Largest picture</source>
        <translation>最大图片</translation>
    </message>
    <message>
        <source>The longer side of a picture that the model gets; larger ones are made smaller first, though not below 64. 0 leaves the size to the model.</source>
        <translation>模型所得图片的较长边；更大的会先缩小，但不低于 64。0 表示由模型决定大小。</translation>
    </message>
    <message>
        <source>pixels</source>
        <translation>像素</translation>
    </message>
    <message>
        <source>Adapter</source>
        <translation>适配器</translation>
    </message>
    <message>
        <source>The folder of a LoRA adapter on top of the model.</source>
        <translation>叠加在模型上的 LoRA 适配器文件夹。</translation>
    </message>
    <message>
        <source>Folders with models</source>
        <translation>包含模型的文件夹</translation>
    </message>
    <message>
        <source>One per line. Models in them are listed beside those you downloaded.</source>
        <translation>每行一个。其中的模型会与已下载的一起列出。</translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>系统提示词</translation>
    </message>
    <message>
        <source>What the model is told before a new chat. Chats can have their own.</source>
        <translation>新对话开始前告诉模型的内容。每个对话可单独设置。</translation>
    </message>
    <message>
        <source>Longest answer</source>
        <translation>最长回答</translation>
    </message>
    <message>
        <source>An answer stops at this length.</source>
        <translation>回答在此长度停止。</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>How freely the model chooses words. 0 always takes the most likely one.</source>
        <translation>模型选词的自由度。0 总是取最可能的词。</translation>
    </message>
    <message>
        <source>Top-p</source>
        <translation>Top-p</translation>
    </message>
    <message>
        <source>Choose among the likeliest tokens that together reach this probability.</source>
        <translation>从合计达到此概率的最可能的 token 中选择。</translation>
    </message>
    <message>
        <source>Top-k</source>
        <translation>Top-k</translation>
    </message>
    <message>
        <source>Choose among this many likeliest tokens. 0 for all.</source>
        <translation>从此数量的最可能的 token 中选择。0 表示全部。</translation>
    </message>
    <message>
        <source>Min-p</source>
        <translation>Min-p</translation>
    </message>
    <message>
        <source>Leave out tokens less likely than this share of the likeliest one. 0 for none.</source>
        <translation>舍去概率低于最可能 token 的此比例的 token。0 表示不舍去。</translation>
    </message>
    <message>
        <source>Repetition penalty</source>
        <translation>重复惩罚</translation>
    </message>
    <message>
        <source>Above 1, words that were already used become less likely.</source>
        <translation>大于 1 时，已用过的词更不容易出现。</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>随机种子</translation>
    </message>
    <message>
        <source>The same seed and question give the same answer. -1 takes another one each time.</source>
        <translation>相同的种子和问题得到相同的回答。-1 表示每次不同。</translation>
    </message>
    <message>
        <source>Stop at</source>
        <translation>停止于</translation>
    </message>
    <message>
        <source>An answer ends before any of these texts.</source>
        <translation>回答在出现任一文字之前结束。</translation>
    </message>
    <message>
        <source>How prompts are kept</source>
        <translation>提示词的保存方式</translation>
    </message>
    <message>
        <source>Whole prompts within a memory budget, blocks that chats share, or whole prompts up to a number.</source>
        <translation>在内存预算内保存完整提示词、对话间共享的块，或不超过一定数量的完整提示词。</translation>
    </message>
    <message>
        <source>Memory for prompts</source>
        <translation>提示词内存</translation>
    </message>
    <message>
        <source>What was read of a chat is kept here, so that only new text is run. 0 switches it off.</source>
        <translation>读过的对话内容保存于此，只需计算新文字。0 表示关闭。</translation>
    </message>
    <message>
        <source>MB</source>
        <translation>MB</translation>
    </message>
    <message>
        <source>Memory for images</source>
        <translation>图片内存</translation>
    </message>
    <message>
        <source>What was seen in an image is kept here, so that it is not looked at twice. 0 switches it off.</source>
        <translation>在图片中看到的内容保存于此，不会看两遍。0 表示关闭。</translation>
    </message>
    <message>
        <source>Shortest prompt kept</source>
        <translation>保存的最短提示词</translation>
    </message>
    <message>
        <source>Shorter beginnings are neither kept nor reused.</source>
        <translation>更短的开头既不保存也不复用。</translation>
    </message>
    <message>
        <source>Most prompts kept</source>
        <translation>保存的提示词上限</translation>
    </message>
    <message>
        <source>The oldest ones go first. Does not concern blocks.</source>
        <translation>最旧的最先淘汰。不适用于块。</translation>
    </message>
    <message>
        <source>Block size</source>
        <translation>块大小</translation>
    </message>
    <message>
        <source>Tokens per block, where prompts are kept in blocks.</source>
        <translation>以块保存提示词时，每块的 token 数。</translation>
    </message>
    <message>
        <source>Store prompts compressed</source>
        <translation>压缩保存提示词</translation>
    </message>
    <message>
        <source>Takes a half or a quarter of the memory; answers may differ slightly from those without it.</source>
        <translation>只占一半或四分之一的内存；回答可能略有不同。</translation>
    </message>
    <message>
        <source>Bits per number</source>
        <translation>每个数的位数</translation>
    </message>
    <message>
        <source>Used where prompts are stored compressed.</source>
        <translation>用于压缩保存的提示词。</translation>
    </message>
    <message>
        <source>bits</source>
        <translation>位</translation>
    </message>
    <message>
        <source>Numbers per scale</source>
        <translation>每个缩放系数的数目</translation>
    </message>
    <message>
        <source>Smaller groups are more exact and take more memory.</source>
        <translation>组越小越精确，占用内存越多。</translation>
    </message>
    <message>
        <source>Work while I type</source>
        <translation>输入时预先处理</translation>
    </message>
    <message>
        <source>Images are looked at, and the chat so far is read, before you press Enter.</source>
        <translation>在您按 Enter 之前就查看图片并读取已有对话。</translation>
    </message>
    <message>
        <source>Also on battery</source>
        <translation>使用电池时也处理</translation>
    </message>
    <message>
        <source>Work while I type even without mains power.</source>
        <translation>未接电源时也在输入时预先处理。</translation>
    </message>
    <message>
        <source>Keep prompts and images on disk</source>
        <translation>将提示词和图片保存到磁盘</translation>
    </message>
    <message>
        <source>What leaves memory is kept on disk and reused after a restart. Incognito chats never are.</source>
        <translation>离开内存的内容保存在磁盘上，重启后可复用。无痕对话除外。</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Where the disk cache lives. Empty for the app&apos;s data folder.</source>
        <translation>磁盘缓存的位置。留空则使用应用的数据文件夹。</translation>
    </message>
    <message>
        <source>Size limit</source>
        <translation>大小上限</translation>
    </message>
    <message>
        <source>Everything in the folder counts. The oldest entries go first.</source>
        <translation>文件夹中的一切都计入。最旧的条目最先淘汰。</translation>
    </message>
    <message>
        <source>GB</source>
        <translation>GB</translation>
    </message>
    <message>
        <source>Keep unused entries</source>
        <translation>保留未使用的条目</translation>
    </message>
    <message>
        <source>Entries unused for longer are removed. 0 keeps them.</source>
        <translation>更久未使用的条目会被移除。0 表示保留。</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Colours of the window.</source>
        <translation>窗口的颜色。</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Language of the window; English where the system&apos;s own is not among these.</source>
        <translation>窗口的语言；系统语言不在其中时使用英语。</translation>
    </message>
    <message>
        <source>Text size</source>
        <translation>文字大小</translation>
    </message>
    <message>
        <source>Size of all text.</source>
        <translation>所有文字的大小。</translation>
    </message>
    <message>
        <source>%</source>
        <translation>%</translation>
    </message>
    <message>
        <source>Reduce motion</source>
        <translation>减少动画</translation>
    </message>
    <message>
        <source>The cache panel and its bars are there at once, without sliding.</source>
        <translation>缓存面板及其条形立即出现，不滑动。</translation>
    </message>
    <message>
        <source>Tokens per step while reading</source>
        <translation>读取时每步的 token 数</translation>
    </message>
    <message>
        <source>Larger steps can be faster; smaller ones stop sooner and need less memory at once.</source>
        <translation>步长大可能更快；步长小停止更及时，一次占用内存更少。</translation>
    </message>
    <message>
        <source>Processor threads</source>
        <translation>处理器线程</translation>
    </message>
    <message>
        <source>For calculations on the processor (Linux). 0 for one per core, at most 8.</source>
        <translation>用于处理器上的计算（Linux）。0 表示每核一个，最多 8 个。</translation>
    </message>
    <message>
        <source>Log level</source>
        <translation>日志级别</translation>
    </message>
    <message>
        <source>How much is written to the log file. No text or image of a chat ever is.</source>
        <translation>写入日志文件的详细程度。绝不写入对话的文字或图片。</translation>
    </message>
</context>
<context>
    <name>SiblingSwitch</name>
    <message>
        <source>Previous version</source>
        <translation>上一版本</translation>
    </message>
    <message>
        <source>Next version</source>
        <translation>下一版本</translation>
    </message>
    <message>
        <source>Version {number} of {total}</source>
        <translation>第 {number} 版，共 {total} 版</translation>
    </message>
</context>
<context>
    <name>Sidebar</name>
    <message>
        <source>pinned</source>
        <translation>已置顶</translation>
    </message>
    <message>
        <source>Pinned</source>
        <translation>已置顶</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>今天</translation>
    </message>
    <message>
        <source>Earlier</source>
        <translation>更早</translation>
    </message>
    <message>
        <source>Chats</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>No chats yet</source>
        <translation>还没有对话</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>未找到</translation>
    </message>
    <message>
        <source>Search chats</source>
        <translation>搜索对话</translation>
    </message>
    <message>
        <source>Delete chat</source>
        <translation>删除对话</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>取消置顶</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>置顶</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>Move to folder…</source>
        <translation>移动到文件夹…</translation>
    </message>
    <message>
        <source>Delete chats</source>
        <translation>删除所选对话</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
</context>
<context>
    <name>Sparkline</name>
    <message>
        <source>Cache size over the last five minutes</source>
        <translation>最近五分钟的缓存大小</translation>
    </message>
    <message>
        <source>Line: bytes kept. Ticks: hits above, misses and evictions below.</source>
        <translation>折线：保存的字节数。刻度：上方为命中，下方为未命中和淘汰。</translation>
    </message>
    <message>
        <source>{size} now</source>
        <translation>目前 {size}</translation>
    </message>
</context>
<context>
    <name>StatusDot</name>
    <message>
        <source>Model: {state}</source>
        <translation>模型：{state}</translation>
    </message>
</context>
<context>
    <name>Thinking</name>
    <message>
        <source>Thinking…</source>
        <translation>思考中…</translation>
    </message>
    <message>
        <source>Thoughts</source>
        <translation>思考过程</translation>
    </message>
</context>
<context>
    <name>ThumbnailButton</name>
    <message>
        <source>Image</source>
        <translation>图片</translation>
    </message>
</context>
<context>
    <name>Thumbnails</name>
    <message>
        <source>The picture cannot be shown.</source>
        <translation>无法显示图片。</translation>
    </message>
</context>
<context>
    <name>TierWidget</name>
    <message>
        <source>{tier} cache</source>
        <translation>{tier}缓存</translation>
    </message>
    <message>
        <source>List the entries of this cache: {tier}</source>
        <translation>列出此缓存的条目：{tier}</translation>
    </message>
</context>
<context>
    <name>Toast</name>
    <message>
        <source>Notice</source>
        <translation>通知</translation>
    </message>
    <message>
        <source>Action</source>
        <translation>操作</translation>
    </message>
</context>
<context>
    <name>Toolbar</name>
    <message>
        <source>Title of this chat</source>
        <translation>此对话的标题</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Main menu</source>
        <translation>主菜单</translation>
    </message>
</context>
<context>
    <name>Transfer</name>
    <message>
        <source>Markdown with a folder of images (*.md)</source>
        <translation>Markdown 及图片文件夹 (*.md)</translation>
    </message>
    <message>
        <source>Chat file that can be imported again (*.json)</source>
        <translation>可重新导入的对话文件 (*.json)</translation>
    </message>
    <message>
        <source>PDF document (*.pdf)</source>
        <translation>PDF 文档 (*.pdf)</translation>
    </message>
    <message>
        <source>Exported to {name}</source>
        <translation>已导出到 {name}</translation>
    </message>
    <message>
        <source>Writing {name}…</source>
        <translation>正在写入 {name}…</translation>
    </message>
    <message>
        <source>There is nothing to print in a new chat.</source>
        <translation>新对话中没有可打印的内容。</translation>
    </message>
    <message>
        <source>Printing…</source>
        <translation>正在打印…</translation>
    </message>
    <message>
        <source>Sent to the printer</source>
        <translation>已发送到打印机</translation>
    </message>
    <message>
        <source>There is nothing to export in a new chat.</source>
        <translation>新对话中没有可导出的内容。</translation>
    </message>
    <message>
        <source>Export chat</source>
        <translation>导出对话</translation>
    </message>
    <message>
        <source>{name} is there already. Replace it?</source>
        <translation>{name} 已存在。要替换吗？</translation>
    </message>
    <message>
        <source>Import chat</source>
        <translation>导入对话</translation>
    </message>
    <message>
        <source>chat</source>
        <comment>as the name of a file</comment>
        <translation>对话</translation>
    </message>
</context>
<context>
    <name>Units</name>
    <message>
        <source>off</source>
        <comment>a limit of nothing</comment>
        <translation>关</translation>
    </message>
    <message>
        <source>{used} of {limit}</source>
        <translation>{used} / {limit}</translation>
    </message>
    <message>
        <source>just now</source>
        <translation>刚刚</translation>
    </message>
    <message numerus="yes">
        <source>%Ln&#x202f;min ago</source>
        <translation>
            <numerusform>%Ln 分钟前</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln&#x202f;h ago</source>
        <translation>
            <numerusform>%Ln 小时前</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln day(s) ago</source>
        <translation>
            <numerusform>%Ln 天前</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>UserMessage</name>
    <message>
        <source>You</source>
        <translation>我</translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>系统提示词</translation>
    </message>
    <message>
        <source>Copy message</source>
        <translation>复制消息</translation>
    </message>
    <message>
        <source>Edit and send again</source>
        <translation>编辑并重新发送</translation>
    </message>
    <message>
        <source>Edit message</source>
        <translation>编辑消息</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Send again</source>
        <translation>重新发送</translation>
    </message>
</context>
<context>
    <name>Words</name>
    <message numerus="yes">
        <source>%Ln token(s)</source>
        <translation>
            <numerusform>%Ln 个 token</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln prompt token(s)</source>
        <translation>
            <numerusform>%Ln 个提示词 token</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln image(s)</source>
        <translation>
            <numerusform>%Ln 张图片</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln entries</source>
        <translation>
            <numerusform>%Ln 个条目</numerusform>
        </translation>
    </message>
    <message>
        <source>under {seconds}&#x202f;s</source>
        <translation>不到 {seconds} 秒</translation>
    </message>
    <message>
        <source>{minutes}&#x202f;min {seconds}&#x202f;s</source>
        <translation>{minutes} 分 {seconds} 秒</translation>
    </message>
    <message>
        <source>{seconds}&#x202f;s</source>
        <translation>{seconds} 秒</translation>
    </message>
    <message>
        <source>{minutes}&#x202f;min</source>
        <translation>{minutes} 分钟</translation>
    </message>
    <message>
        <source>{number}&#x202f;%</source>
        <translation>{number}%</translation>
    </message>
    <message>
        <source>{number} tokens/s</source>
        <translation>{number} token/秒</translation>
    </message>
    <message>
        <source>, </source>
        <comment>between the parts of a list</comment>
        <translation>，</translation>
    </message>
    <message>
        <source>{first} {second}</source>
        <comment>one sentence after the other</comment>
        <translation>{first}{second}</translation>
    </message>
    <message>
        <source>.</source>
        <comment>full stop</comment>
        <translation>。</translation>
    </message>
</context>
</TS>
